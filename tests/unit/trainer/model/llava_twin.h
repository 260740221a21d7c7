/* llava_twin: what tests/oracle/llava_twin.py printed. */
#pragma once

static const double twin_loss = 3.527850573;

static const double twin_rows[] = {
    0.098065187, -9.71637524, -0.0830990108, -1.7400397,   -6.16381845,  8.46830443,   4.89787657,
    -1.9877728,  0.980488018, -8.59580149,   0.0486703374, -0.947467598, -6.20542465,  7.11451353,
    4.77910063,  -2.63810659, 1.61004076,    -5.58854171,  -0.251556486, -0.293213089, -4.66922373,
    4.4993452,   3.70093691,  -2.19644821,   -1.17442222,  -9.14513697,  -1.47239082,  -2.69436436,
    -3.78387271, 6.10058897,  5.31853748,    0.802905579};

static const struct twin_gradient {
    const char *name;
    int element;
    double value;
} twin_gradients[] = {
    {"language_model.model.embed_tokens.weight", 19, 0.165549365},
    {"language_model.model.embed_tokens.weight", 80, 0.0724777239},
    {"language_model.model.layers.0.input_layernorm.weight", 2, 0.0246953778},
    {"language_model.model.layers.0.self_attn.q_proj.weight", 37, 0.00295061866},
    {"language_model.model.layers.0.self_attn.k_proj.weight", 21, 0.0459888812},
    {"language_model.model.layers.0.self_attn.v_proj.weight", 50, 0.359890462},
    {"language_model.model.layers.1.self_attn.o_proj.weight", 77, 0.031135146},
    {"language_model.model.layers.0.mlp.gate_proj.weight", 90, 0.00988805232},
    {"language_model.model.layers.1.mlp.up_proj.weight", 11, 0.00571802549},
    {"language_model.model.layers.1.mlp.down_proj.weight", 60, -0.00460800623},
    {"language_model.model.norm.weight", 9, 0.322794675},
    {"language_model.lm_head.weight", 97, -0.490389972},
    {"multi_modal_projector.linear_1.weight", 19, -0.000676976453},
    {"multi_modal_projector.linear_1.bias", 4, -1.11562426e-05},
    {"multi_modal_projector.linear_2.weight", 33, -0.000375679701},
    {"multi_modal_projector.linear_2.bias", 7, -0.00169165514},
};
