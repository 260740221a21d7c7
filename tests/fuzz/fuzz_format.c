/* Each reader of log lines by itself, whatever the others before it would have taken: the first
 * byte says which, the rest are its lines. */
#include "tests/fuzz/fuzz.h"

#include "verifier/logs/log.h"
#include "verifier/logs/log_format.h"

#include <string.h>

static void read_lines(struct log_reader *r, size_t format, const char *at, const char *end)
{
    for (r->line = 1; at < end; r->line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (stop > at)
            log_offer_to(r, format, (struct span){at, (size_t)(stop - at)});
        at = stop + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct log log;
    struct log_reader r;
    struct curve curve;
    size_t n_formats = 0;
    if (size == 0)
        return 0;
    while (log_formats[n_formats])
        n_formats++;
    const char *text = arena_strndup(&arena, (const char *)data + 1, size - 1);
    diags_init(&diags, &arena);
    log_open(&r, "a.log", &log, &arena, &diags);
    read_lines(&r, data[0] % n_formats, text, text + size - 1);
    log_close(&r);
    log_curve(&log, &arena, &curve);
    arena_release(&arena);
    return 0;
}
