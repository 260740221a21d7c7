#include "verifier/logs/log_banner.h"

#include "verifier/logs/log.h"

static const struct {
    enum log_banner banner;
    const char *words; /* anywhere in the line; the value is the word behind them, */
    bool whole;        /* or the rest of the line, up to a bracket */
} rows[] = {
    {BANNER_DRIVER, "Driver Version: ", false}, /* nvidia-smi, ixsmi, xpu-smi, mthreads-gmi */
    {BANNER_DRIVER, "Nvidia driver version: ", false}, /* torch.utils.collect_env */
    {BANNER_RUNTIME, "CUDA Version: ", false},
    {BANNER_CARD, "GPU 0: ", true},              /* nvidia-smi -L, collect_env */
    {BANNER_RANKS, "using world size: ", false}, /* Megatron */
    {BANNER_RANKS, "world_size ...", false},
    {BANNER_PRECISION, "params_dtype ...", false},
    {BANNER_TORCH, "PyTorch version: ", false},
    {BANNER_TORCH, "torch version ...", false}, /* ds_report */
    {BANNER_DEEPSPEED, "DeepSpeed info: version=", false},
    {BANNER_COMMIT, "Git info for Megatron: git_hash=", false},
};

static bool is_plain_banner(struct span s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < 0x20 || (unsigned char)s.p[i] > 0x7e)
            return false;
    return s.n > 0 && s.n <= LOG_BANNER_MAX;
}

void log_banner_set(struct log_reader *r, enum log_banner banner, struct span value)
{
    struct log_banner_value *b = &r->log->banners[banner];
    if (!b->value && is_plain_banner(value))
        *b = (struct log_banner_value){arena_strndup(r->arena, value.p, value.n), r->line};
}

/* Up to a blank, a comma or a bar. */
static struct span word_of(struct span s)
{
    size_t n = 0;
    while (n < s.n && !strchr(" \t,|", s.p[n]))
        n++;
    return (struct span){s.p, n};
}

void log_banner(struct log_reader *r, struct span s)
{
    struct span rest;
    if (r->segments > LOG_BANNER_LINES)
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (r->log->banners[rows[i].banner].value || !span_after(s, rows[i].words, &rest))
            continue;
        while (rest.n && strchr(" .", rest.p[0]))
            rest = span_from(rest, 1);
        if (rows[i].whole)
            rest.n = span_find(rest, " (");
        log_banner_set(r, rows[i].banner, rows[i].whole ? span_trim(rest) : word_of(rest));
    }
}
