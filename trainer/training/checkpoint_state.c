#include "trainer/training/checkpoint_state.h"

#include "base/files/file.h"
#include "base/json/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "fpreport.checkpoint/1"
#define WHOLE_MAX ((uint64_t)1 << 53) /* JSON's whole numbers */

/* ---- settings ------------------------------------------------------------------------------- */

enum setting_kind { INTEGER, REAL, BOOLEAN, SEED, TEXT };

static const struct setting {
    const char *name;
    enum setting_kind kind;
    size_t offset; /* in struct training */
} settings[] = {
    {"vocab", INTEGER, offsetof(struct training, vocab)},
    {"layers", INTEGER, offsetof(struct training, layers)},
    {"heads", INTEGER, offsetof(struct training, heads)},
    {"kv_heads", INTEGER, offsetof(struct training, kv_heads)},
    {"hidden", INTEGER, offsetof(struct training, hidden)},
    {"ffn", INTEGER, offsetof(struct training, ffn)},
    {"tied", BOOLEAN, offsetof(struct training, tied)},
    {"rope_theta", REAL, offsetof(struct training, rope_theta)},
    {"norm_eps", REAL, offsetof(struct training, norm_eps)},
    {"init_std", REAL, offsetof(struct training, init_std)},
    {"position", INTEGER, offsetof(struct training, architecture.position)},
    {"normed_head", BOOLEAN, offsetof(struct training, architecture.normed_head)},
    {"targets_inside", BOOLEAN, offsetof(struct training, targets_inside)},
    {"sequence_length", INTEGER, offsetof(struct training, sequence_length)},
    {"steps", INTEGER, offsetof(struct training, steps)},
    {"warmup_steps", INTEGER, offsetof(struct training, warmup_steps)},
    {"lr", REAL, offsetof(struct training, lr)},
    {"min_lr", REAL, offsetof(struct training, min_lr)},
    {"weight_decay", REAL, offsetof(struct training, weight_decay)},
    {"beta1", REAL, offsetof(struct training, beta1)},
    {"beta2", REAL, offsetof(struct training, beta2)},
    {"eps", REAL, offsetof(struct training, eps)},
    {"clip_norm", REAL, offsetof(struct training, clip_norm)},
    {"lora_r", INTEGER, offsetof(struct training, lora.r)},
    {"lora_alpha", REAL, offsetof(struct training, lora.alpha)},
    {"lora_dropout", REAL, offsetof(struct training, lora.dropout)},
    {"lora_targets", INTEGER, offsetof(struct training, lora.targets)},
    {"decays", INTEGER, offsetof(struct training, decays)},
    {"precision", TEXT, offsetof(struct training, precision)},
    {"seed", SEED, offsetof(struct training, seed)},
};
#define SETTINGS (sizeof settings / sizeof *settings)
#define ALL_SETTINGS (SETTINGS + 2) /* and those of the context */

/* One setting as it stands in the file. */
struct stated {
    const char *name;
    bool quoted;
    char text[HASH_HEX_SIZE];
};

static void state_setting(struct stated *s, const struct setting *row, const struct training *t)
{
    const void *at = (const char *)t + row->offset;
    s->name = row->name;
    s->quoted = row->kind == TEXT;
    switch (row->kind) {
    case INTEGER:
        snprintf(s->text, sizeof s->text, "%d", *(const int *)at);
        break;
    case REAL:
        json_number_format(s->text, *(const double *)at);
        break;
    case BOOLEAN:
        snprintf(s->text, sizeof s->text, "%s", *(const bool *)at ? "true" : "false");
        break;
    case SEED:
        snprintf(s->text, sizeof s->text, "%" PRIu64, *(const uint64_t *)at);
        break;
    case TEXT:
        snprintf(s->text, sizeof s->text, "%s", *(const char *const *)at);
        break;
    }
}

static void state_settings(struct stated all[ALL_SETTINGS], const struct training *t,
                           const struct checkpoint_context *context)
{
    for (size_t i = 0; i < SETTINGS; i++)
        state_setting(&all[i], &settings[i], t);
    struct stated *sequences = &all[SETTINGS], *data = &all[SETTINGS + 1];
    *sequences = (struct stated){.name = "sequences_per_step"};
    snprintf(sequences->text, sizeof sequences->text, "%" PRIu64, context->sequences_per_step);
    *data = (struct stated){.name = "data_sha256", .quoted = true};
    snprintf(data->text, sizeof data->text, "%s", context->data_sha256);
}

/* ---- writing -------------------------------------------------------------------------------- */

int checkpoint_state_write(const char *path, const struct checkpoint_state *s,
                           const struct training *t, const struct checkpoint_context *context,
                           struct err *err)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    struct json_writer w = JSON_WRITER_INIT(&out);
    json_begin_object(&w, NULL);
    json_string(&w, "format", FORMAT);
    json_integer(&w, "step", (long long)s->step);
    json_integer(&w, "sequences", (long long)(s->step * context->sequences_per_step));
    json_integer(&w, "optimizer_steps", (long long)s->optimizer_steps);
    json_number(&w, "loss_scale", s->loss_scale.scale);
    json_integer(&w, "loss_scale_calm", s->loss_scale.calm);
    struct stated all[ALL_SETTINGS];
    state_settings(all, t, context);
    json_begin_object(&w, "settings");
    for (size_t i = 0; i < ALL_SETTINGS; i++)
        (all[i].quoted ? json_string : json_number_text)(&w, all[i].name, all[i].text);
    json_end_object(&w);
    json_string(&w, "initial_weights", *s->initial_sha256 ? s->initial_sha256 : NULL);
    json_end_object(&w);
    json_finish(&w);
    int rc = file_write(path, out.data, out.len, err);
    buf_release(&out);
    return rc;
}

/* ---- reading -------------------------------------------------------------------------------- */

struct reading {
    const char *path;
    const struct json *root;
    struct err *err;
};

static int refuse_state(const struct reading *r, const struct json *value, const char *name,
                        const char *expected)
{
    char kind[64] = "none";
    const char *found = value && value->text ? value->text : kind;
    if (value)
        snprintf(kind, sizeof kind, "%s",
                 value->kind == JSON_BOOL ? value->truth ? "true" : "false"
                                          : json_kind_name(value->kind));
    return err_set(r->err, ERR_INPUT, "%s:%d: %.100s: found %.100s, expected %.100s", r->path,
                   value ? value->line : r->root->line, name, found, expected);
}

/* A member that is a whole number in digits. */
static int read_count(const struct reading *r, const char *name, uint64_t max, uint64_t *out)
{
    const struct json *value = json_get(r->root, name);
    const char *text = value && value->kind == JSON_NUMBER ? value->text : "-";
    char expected[64];
    snprintf(expected, sizeof expected, "a whole number up to %" PRIu64, max);
    if (strlen(text) > 16 || strspn(text, "0123456789") != strlen(text) ||
        strtoull(text, NULL, 10) > max)
        return refuse_state(r, value, name, expected);
    *out = strtoull(text, NULL, 10);
    return 0;
}

static int check_setting(const struct reading *r, const struct json *found, const struct stated *s)
{
    const struct json *value = json_get(found, s->name);
    const enum json_kind kind = s->quoted ? JSON_STRING : JSON_NUMBER;
    bool same = value && value->kind == JSON_BOOL
                    ? strcmp(s->text, value->truth ? "true" : "false") == 0
                    : value && value->kind == kind && strcmp(s->text, value->text) == 0;
    return same && (value->kind != JSON_BOOL || !s->quoted)
               ? 0
               : refuse_state(r, value, s->name, s->text);
}

/* The same names with the same values, and no more of them. */
static int check_state_settings(const struct reading *r, const struct training *t,
                                const struct checkpoint_context *context)
{
    const struct json *found = json_get(r->root, "settings");
    struct stated all[ALL_SETTINGS];
    state_settings(all, t, context);
    for (size_t i = 0; i < ALL_SETTINGS; i++)
        if (check_setting(r, found, &all[i]) < 0)
            return -1;
    if (found->n != ALL_SETTINGS)
        return refuse_state(r, found, "settings", "only those of this version");
    return 0;
}

/* Which weights the training began with, and whether this one would. */
static int read_initial(const struct reading *r, struct checkpoint_state *s,
                        const struct training *t)
{
    const struct json *value = json_get(r->root, "initial_weights");
    bool given = value && value->kind == JSON_STRING && hash_is_hex(value->text);
    const char *expected = t->initial_sha256 && *t->initial_sha256 ? t->initial_sha256
                           : t->initial_weights                    ? "the SHA-256 of the given ones"
                                                : "null, since the weights are drawn from the seed";
    if (!value || (!given && value->kind != JSON_NULL) || given != (t->initial_weights != NULL) ||
        (given && hash_is_hex(expected) && strcmp(value->text, expected) != 0))
        return refuse_state(r, value, "initial_weights", expected);
    snprintf(s->initial_sha256, sizeof s->initial_sha256, "%s", given ? value->text : "");
    return 0;
}

static int read_state_values(const struct reading *r, struct checkpoint_state *s,
                             const struct training *t, const struct checkpoint_context *context)
{
    const struct json *format = json_get(r->root, "format");
    uint64_t sequences;
    char expected[32];
    if (!format || format->kind != JSON_STRING || strcmp(format->text, FORMAT) != 0)
        return refuse_state(r, format, "format", FORMAT);
    if (check_state_settings(r, t, context) < 0 ||
        read_count(r, "step", (uint64_t)t->steps, &s->step) < 0 ||
        read_count(r, "optimizer_steps", s->step, &s->optimizer_steps) < 0 ||
        read_count(r, "sequences", WHOLE_MAX, &sequences) < 0 || read_initial(r, s, t) < 0)
        return -1;
    snprintf(expected, sizeof expected, "%" PRIu64, s->step * context->sequences_per_step);
    if (sequences != s->step * context->sequences_per_step)
        return refuse_state(r, json_get(r->root, "sequences"), "sequences", expected);
    const struct json *value = json_get(r->root, "loss_scale");
    uint64_t calm;
    if (!value || value->kind != JSON_NUMBER || !(value->number >= LOSS_SCALE_LEAST) ||
        !(value->number <= 0x1p127))
        return refuse_state(r, value, "loss_scale", "a number from 1 to 2^127");
    if (read_count(r, "loss_scale_calm", LOSS_SCALE_PATIENCE, &calm) < 0)
        return -1;
    s->loss_scale.scale = (float)value->number;
    s->loss_scale.calm = (int)calm;
    return 0;
}

int checkpoint_state_read(const char *path, struct checkpoint_state *s, const struct training *t,
                          const struct checkpoint_context *context, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct diags diags = DIAGS_INIT(&arena);
    struct json *root;
    int rc;
    if (json_load(path, &arena, &root, &diags) < 0)
        rc = err_set(err, ERR_INPUT, "%s:%d:%d: %s", path, diags.items[0].line, diags.items[0].col,
                     diags.items[0].message);
    else
        rc = read_state_values(&(struct reading){path, root, err}, s, t, context);
    arena_release(&arena);
    return rc;
}
