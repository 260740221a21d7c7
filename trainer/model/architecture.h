/*
 * architecture: what one family of models does otherwise than another, as a model's record says it.
 *
 *   family        position   head     tensors in files
 *   Llama         rope       free     q_proj, k_proj, v_proj
 *   Baichuan 2    rope (7B), alibi (13B)
 *                            normed   W_pack: q, k and v in one
 *   LLaVA        rope       free     Llama's with a projector's beside them (projector.h);
 * transformers' behind language_model.
 *
 * All of them norm by the root mean square and have SwiGLU between gate, up and down.
 */
#pragma once

#include <stdbool.h>

/* How attention knows where a token stands: queries and keys are turned (Su et al. 2021), or scores
 * fall with the distance (Press et al. 2022). */
enum position { POSITION_ROPE, POSITION_ALIBI };

/* Names of a checkpoint's tensors. */
enum tensor_names { NAMES_LLAMA, NAMES_BAICHUAN, NAMES_LLAVA, NAMES_LLAVA_HF };

struct architecture {
    enum position position;
    bool normed_head; /* the head's rows are divided by their lengths before they are used */
    enum tensor_names names;
};

/* The slope of head i of n: 2^(-8 (i + 1) / P) for the first P, the largest power of 2 that n is
 * not below; for the others every second one of 2 P heads. */
double architecture_slope(int head, int heads);
