#include "trainer/training/model_config.h"

#include "base/arena.h"
#include "base/files/file.h"
#include "base/json/json.h"
#include "trainer/tensors/tensor_files.h"
#include "trainer/training/llava_files.h"

#define FIRST_OF_TWO "model-00001-of-00002.safetensors"
#define SECOND_OF_TWO "model-00002-of-00002.safetensors"

static bool sees(const struct training *t)
{
    return t->tower.layers > 0;
}

/* Is its tower a part of its folder? */
static bool has_tower_beside(const struct training *t)
{
    return sees(t) && !t->projector_alone && t->architecture.names == NAMES_LLAVA_HF;
}

const char *model_file_name(const struct training *t)
{
    return t->lora.r > 0         ? "adapter_model.safetensors"
           : t->projector_alone  ? "mm_projector.safetensors"
           : has_tower_beside(t) ? FIRST_OF_TWO
                                 : TENSOR_FILES_NAME;
}

/* ---- config.json ---------------------------------------------------------------------------- */

static void write_language(struct json_writer *w, const struct training *t)
{
    json_integer(w, "vocab_size", t->vocab);
    json_integer(w, "hidden_size", t->hidden);
    json_integer(w, "intermediate_size", t->ffn);
    json_integer(w, "num_hidden_layers", t->layers);
    json_integer(w, "num_attention_heads", t->heads);
    json_integer(w, "num_key_value_heads", t->kv_heads);
    json_integer(w, "max_position_embeddings", t->sequence_length);
    json_string(w, "hidden_act", "silu");
    json_number(w, "rms_norm_eps", t->norm_eps);
    json_number(w, "rope_theta", t->rope_theta);
    json_bool(w, "attention_bias", false);
    json_bool(w, "tie_word_embeddings", t->tied);
    json_number(w, "initializer_range", t->init_std);
    json_string(w, "torch_dtype", "float32");
}

/* transformers': the mark of a picture is the token behind the vocabulary. */
static void write_llava_hf(struct json_writer *w, const struct training *t)
{
    json_begin_object(w, "text_config");
    json_string(w, "model_type", "llama");
    write_language(w, t);
    json_end_object(w);
    json_begin_object(w, "vision_config");
    json_string(w, "model_type", "clip_vision_model");
    json_integer(w, "hidden_size", t->tower.hidden);
    json_integer(w, "intermediate_size", t->tower.ffn);
    json_integer(w, "num_hidden_layers", t->tower.layers);
    json_integer(w, "num_attention_heads", t->tower.heads);
    json_integer(w, "image_size", t->tower.side);
    json_integer(w, "patch_size", t->tower.patch);
    json_string(w, "hidden_act", "quick_gelu");
    json_number(w, "layer_norm_eps", (double)t->tower.eps);
    json_end_object(w);
    json_integer(w, "image_token_index", t->vocab);
    json_string(w, "projector_hidden_act", "gelu");
    json_string(w, "vision_feature_select_strategy", "default");
    json_integer(w, "vision_feature_layer", -1); /* of the layers that are written */
}

/* LLaVA's, whose tower is named. */
static void write_llava(struct json_writer *w, const struct training *t)
{
    write_language(w, t);
    json_string(w, "mm_projector_type", "mlp2x_gelu");
    json_integer(w, "mm_hidden_size", t->tower.hidden);
    json_integer(w, "mm_vision_select_layer", -2);
    json_string(w, "mm_vision_select_feature", "patch");
    json_string(w, "mm_vision_tower", "openai/clip-vit-large-patch14-336");
}

static const struct config_kind {
    const char *architecture, *type;
    void (*write)(struct json_writer *w, const struct training *t);
} config_kinds[] = {
    [NAMES_LLAMA] = {"LlamaForCausalLM", "llama", write_language},
    [NAMES_BAICHUAN] = {"BaichuanForCausalLM", "baichuan", write_language},
    [NAMES_LLAVA] = {"LlavaLlamaForCausalLM", "llava_llama", write_llava},
    [NAMES_LLAVA_HF] = {"LlavaForConditionalGeneration", "llava", write_llava_hf},
};

/* peft's, for an adapter of what transformers calls the base model. */
static int adapter_config_save(const struct training *t, const char *path, struct err *err)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    struct json_writer w = JSON_WRITER_INIT(&out);
    json_begin_object(&w, NULL);
    json_string(&w, "peft_type", "LORA");
    json_string(&w, "task_type", "CAUSAL_LM");
    json_string(&w, "base_model_name_or_path", NULL);
    json_integer(&w, "r", t->lora.r);
    json_number(&w, "lora_alpha", t->lora.alpha);
    json_number(&w, "lora_dropout", t->lora.dropout);
    json_string(&w, "bias", "none");
    json_begin_array_flat(&w, "target_modules");
    for (int i = 0; i < LORA_TARGETS; i++)
        if (t->lora.targets >> i & 1)
            json_string(&w, NULL, lora_target_names[i]);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
    int rc = file_write(path, out.data, out.len, err);
    buf_release(&out);
    return rc;
}

/* ---- the tower beside it -------------------------------------------------------------------- */

static int index_save(const struct model *m, const char *path, struct err *err)
{
    struct buf out = BUF_INIT((size_t)16 << 20);
    struct json_writer w = JSON_WRITER_INIT(&out);
    json_begin_object(&w, NULL);
    json_begin_object(&w, "metadata");
    json_integer(&w, "total_size",
                 (long long)((model_elements(m) + tower_elements(m->tower)) * sizeof(float)));
    json_end_object(&w);
    json_begin_object(&w, "weight_map");
    for (size_t i = 0; i < m->n_tensors; i++)
        json_string(&w, m->tensors[i].name, FIRST_OF_TWO);
    for (size_t i = 0; i < m->tower->n_tensors; i++)
        json_string(&w, m->tower->tensors[i].name, SECOND_OF_TWO);
    json_end_object(&w);
    json_end_object(&w);
    json_finish(&w);
    int rc = buf_check(&out, path, err);
    if (rc == 0)
        rc = file_write(path, out.data, out.len, err);
    buf_release(&out);
    return rc;
}

int model_config_save(const struct model *m, const struct training *t,
                      struct partial_folder *partial, struct err *err)
{
    if (t->lora.r > 0)
        return adapter_config_save(t, partial_folder_path(partial, "adapter_config.json"), err);
    if (has_tower_beside(t) && m->tower &&
        (llava_tower_save(m->tower, partial_folder_path(partial, SECOND_OF_TWO), err) < 0 ||
         index_save(m, partial_folder_path(partial, TENSOR_FILES_INDEX), err) < 0))
        return -1;
    const char *path = partial_folder_path(partial, "config.json");
    const struct config_kind *kind = &config_kinds[t->architecture.names];
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    struct json_writer w = JSON_WRITER_INIT(&out);
    json_begin_object(&w, NULL);
    json_begin_array_flat(&w, "architectures");
    json_string(&w, NULL, kind->architecture);
    json_end_array(&w);
    json_string(&w, "model_type", kind->type);
    kind->write(&w, t);
    json_end_object(&w);
    json_finish(&w);
    int rc = file_write(path, out.data, out.len, err);
    buf_release(&out);
    return rc;
}
