/* Each reader of log lines by itself, whatever the others before it would have taken: the first
 * byte says which, the rest are its lines. */
#include "tests/fuzz/fuzz.h"

#include "verifier/logs/formats/formats.h"
#include "verifier/logs/log.h"
#include "verifier/logs/log_say.h"

#include <string.h>

static const struct {
    const char *name;
    bool (*read)(struct log_reader *r, struct span s);
    void (*end)(struct log_reader *r);
} formats[] = {
    {"perflog", log_perflog, NULL},
    {"megatron", log_megatron, NULL},
    {"deepspeed", log_deepspeed, NULL},
    {"curve", log_curve_line, log_curve_end},
    {"huggingface", log_huggingface, log_huggingface_end},
    {"llama-recipes", log_llama_recipes, NULL},
    {"llava", log_llava, NULL},
    {"paddle", log_paddle, NULL},
    {"summary", log_summary, NULL},
    {"result", log_result, NULL},
    {"target", log_target, NULL},
    {"trainer-state", log_trainer_state, NULL},
    {"patterns", log_patterns, NULL},
};

#define N_FORMATS (sizeof formats / sizeof *formats)

static void read_lines(struct log_reader *r, size_t format, const char *at, const char *end)
{
    for (r->line = 1; at < end; r->line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        r->draft->n = 0;
        r->draft->unfit = r->draft->done = false;
        if (stop > at)
            formats[format].read(r, (struct span){at, (size_t)(stop - at)});
        at = stop + 1;
    }
    if (formats[format].end)
        formats[format].end(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct log log;
    struct log_reader r;
    struct curve curve;
    if (size == 0)
        return 0;
    const char *text = arena_strndup(&arena, (const char *)data + 1, size - 1);
    diags_init(&diags, &arena);
    log_open(&r, "a.log", &log, &arena, &diags);
    read_lines(&r, data[0] % N_FORMATS, text, text + size - 1);
    log_close(&r);
    log_curve(&log, &arena, &curve);
    arena_release(&arena);
    return 0;
}
