/*
 * Consoles that print a line with the step, and below it a line for each metric.
 *
 *   [2024-04-17 09:42:38] INFO     [olmo.train:816, rank=0] [step=2/739328]
 *       train/CrossEntropyLoss=10.73
 *       throughput/device/tokens_per_second=45,538
 *       System/Peak GPU Memory (MB)=43,309
 *
 * A metric counts only below a step, so that no other program's line of such a name does, and no
 * further than BLOCK_LINES_MAX lines below it. A step is added with its loss; what is behind it
 * says more about the step, and is kept as values: rates are those of one card.
 */
#include "base/lines/pattern.h"
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_order.h"
#include "verifier/logs/log_say.h"

#define BLOCK_LINES_MAX 200

enum block_field {
    BLOCK_STEP,
    BLOCK_STEPS,
    BLOCK_EPOCH,
    BLOCK_IN_EPOCH,
    BLOCK_PER_EPOCH,
    BLOCK_LOSS,
    BLOCK_RATE, /* tokens/s of a card */
    BLOCK_TOTAL_RATE,
    BLOCK_MIB,
    BLOCK_BYTES,
    BLOCK_GIGABYTES,
    BLOCK_MFU,
    BLOCK_MFU_SHARE,
    BLOCK_FIELDS
};

static const struct pattern_name names[BLOCK_FIELDS] = {
    [BLOCK_STEP] = {"step", PATTERN_NUMBER},
    [BLOCK_STEPS] = {"steps", PATTERN_NUMBER},
    [BLOCK_EPOCH] = {"epoch", PATTERN_NUMBER}, /* from 1 */
    [BLOCK_IN_EPOCH] = {"in_epoch", PATTERN_NUMBER},
    [BLOCK_PER_EPOCH] = {"per_epoch", PATTERN_NUMBER},
    [BLOCK_LOSS] = {"loss", PATTERN_NUMBER},
    [BLOCK_RATE] = {"rate", PATTERN_NUMBER},
    [BLOCK_TOTAL_RATE] = {"total_rate", PATTERN_NUMBER},
    [BLOCK_MIB] = {"mib", PATTERN_NUMBER},
    [BLOCK_BYTES] = {"bytes", PATTERN_NUMBER},
    [BLOCK_GIGABYTES] = {"gigabytes", PATTERN_NUMBER},
    [BLOCK_MFU] = {"mfu", PATTERN_NUMBER},
    [BLOCK_MFU_SHARE] = {"mfu_share", PATTERN_NUMBER},
};
static const struct pattern_names fields = {names, BLOCK_FIELDS};

/* The lines of a console; the first ones have its steps. */
static const struct console {
    const char *lines[10];
    const char *head; /* words of the line of a step; NULL: others print such metrics, too */
} consoles[] = {
    /* OLMo, with colours and without, and of other versions */
    {{"*[olmo.train:* [step={step}/{steps}]", "*olmo.train:* [step={step}/{steps},epoch={#}]",
      "*olmo.train:* [step={step}/{steps}]", "train/CrossEntropyLoss={loss:,}",
      "throughput/device/tokens_per_second={rate:,}", "System/Peak GPU Memory (MB)={mib:,}"},
     "[step=2/739328]"},
    /* OLMo-core */
    {{"*olmo_core.train.callbacks.console_logger*[step={step}/{steps}*]", "train/CE loss={loss:,}",
      "throughput/device/TPS={rate:,}", "throughput/device/MFU={mfu}",
      "throughput/device/TPS (actual avg)={rate:,}"},
     "[step=2/739328]"},
    /* MosaicML's composer and llm-foundry, by batches, by epochs, and older ones */
    {{"[batch={step}/{steps}]:", "[epoch={epoch}/{#}][batch={in_epoch}/{per_epoch}]:",
      "[epoch={epoch}][batch={in_epoch}/{per_epoch}]:", "Train loss/train/total: {loss}",
      "Train throughput/device/tokens_per_sec: {rate}",
      "Train throughput/tokens_per_sec: {total_rate}", "Train throughput/device/mfu: {mfu_share}",
      "Train memory/peak_allocated_mem: {gigabytes}"},
     "[batch=2/739328]:"},
    /* fms-fsdp */
    {{"step: {step}", "loss: {loss}", "current throughput (token per gpu per sec): {rate}",
      "reserved memory: {bytes}"},
     NULL},
};
#define CONSOLES (sizeof consoles / sizeof *consoles)

struct block_log {
    struct pattern_set *lines[CONSOLES]; /* NULL: no line has asked for them */
    size_t console;                      /* whose step came last */
    double step, steps;                  /* whose metrics follow; NaN: none */
    int line;                            /* of the step */
    const char *headless;                /* the head that is missing above the first metrics */
    int headless_line;
};

static void begin_blocks(struct log_reader *r)
{
    struct block_log *at = r->of_format;
    at->step = NAN;
}

static int compile_consoles(struct log_reader *r, struct block_log *at)
{
    struct err err = ERR_INIT;
    for (size_t i = CONSOLES; i-- > 0;) {
        size_t n = 0;
        while (n < sizeof consoles[i].lines / sizeof *consoles[i].lines && consoles[i].lines[n])
            n++;
        if (pattern_set_new(consoles[i].lines, n, &fields, r->arena, &at->lines[i], &err) < 0)
            return -1;
    }
    return 0;
}

static void note_rate(struct log_reader *r, const char *key, double value)
{
    if (value > 0)
        log_add_value(r, span_of(key), value);
}

static void take_block_metric(struct log_reader *r, const struct block_log *at,
                              const struct pattern_found *f)
{
    if (f->has & 1u << BLOCK_LOSS) {
        double loss = pattern_number(f, BLOCK_LOSS);
        struct log_point p = log_point_at(r, at->step);
        log_set(&p, offsetof(struct log_point, loss), loss);
        log_add_point(r, &p);
        log_tail_goal(r, NAN, at->steps);
    }
    note_rate(r, LOG_CARD_RATE, pattern_number(f, BLOCK_RATE));
    note_rate(r, LOG_RATE, pattern_number(f, BLOCK_TOTAL_RATE));
    log_note_memory(r, pattern_number(f, BLOCK_MIB) / 1024);
    log_note_memory(r, pattern_number(f, BLOCK_BYTES) / 1073741824.0);
    log_note_memory(r, pattern_number(f, BLOCK_GIGABYTES) * 1e9 / 1073741824.0);
    log_note_most(&r->log->mfu, pattern_number(f, BLOCK_MFU), r->line);
    log_note_most(&r->log->mfu, 100 * pattern_number(f, BLOCK_MFU_SHARE), r->line);
}

/* Bytes that are in every line which may be one's step: most lines have none of them. */
static bool may_be_step(struct span s)
{
    return s.p[s.n - 1] == ']' || s.p[s.n - 1] == ':' || span_starts(s, "step: ");
}

static bool read_step_of_block(struct log_reader *r, struct span s)
{
    struct block_log *at = r->of_format;
    struct pattern_found f;
    if (!may_be_step(s) || (!at->lines[0] && compile_consoles(r, at) < 0))
        return false;
    for (size_t i = 0; i < CONSOLES; i++) {
        if (pattern_set_match(at->lines[i], s, 0, &f) == PATTERN_NONE ||
            !(f.has & (1u << BLOCK_STEP | 1u << BLOCK_IN_EPOCH)))
            continue;
        double in_epochs =
            (pattern_number(&f, BLOCK_EPOCH) - 1) * pattern_number(&f, BLOCK_PER_EPOCH) +
            pattern_number(&f, BLOCK_IN_EPOCH);
        at->console = i;
        at->step = f.has & 1u << BLOCK_STEP ? pattern_number(&f, BLOCK_STEP) : in_epochs;
        at->steps = pattern_number(&f, BLOCK_STEPS);
        at->line = r->line;
        return true;
    }
    return false;
}

/* A metric of a step of which nobody says the number: rate and memory are known, a loss is not of a
 * step. */
static bool read_headless_metric(struct log_reader *r, struct span s)
{
    struct block_log *at = r->of_format;
    struct pattern_found f;
    const char *slash = memchr(s.p, '/', s.n);
    if (!slash || (!memchr(slash, '=', s.n - (size_t)(slash - s.p)) && !span_starts(s, "Train ")) ||
        (!at->lines[0] && compile_consoles(r, at) < 0))
        return false;
    for (size_t i = 0; i < CONSOLES; i++) {
        if (!consoles[i].head || pattern_set_match(at->lines[i], s, 0, &f) == PATTERN_NONE)
            continue;
        if (!at->headless) {
            at->headless = consoles[i].head;
            at->headless_line = r->line;
        }
        f.has &= ~(1u << BLOCK_LOSS);
        take_block_metric(r, at, &f);
        return true;
    }
    return false;
}

static void end_blocks(struct log_reader *r)
{
    const struct block_log *at = r->of_format;
    if (at->headless)
        log_note_headless(r, at->headless_line, at->headless);
}

static bool read_blocks_line(struct log_reader *r, struct span s)
{
    struct block_log *at = r->of_format;
    struct pattern_found f;
    if (read_step_of_block(r, s))
        return true;
    if (isnan(at->step))
        return read_headless_metric(r, s);
    if (r->line - at->line > BLOCK_LINES_MAX ||
        pattern_set_match(at->lines[at->console], s, 0, &f) == PATTERN_NONE)
        return false;
    take_block_metric(r, at, &f);
    return true;
}

const struct log_format log_format_blocks = {
    .name = "blocks",
    .reads = "OLMo, OLMo-core, MosaicML composer and llm-foundry, fms-fsdp",
    .sample = "[2024-04-17 09:42:38] INFO     [olmo.train:816, rank=0] [step=2/739328]\n"
              "    train/CrossEntropyLoss=10.73",
    .steps = true,
    .state_bytes = sizeof(struct block_log),
    .begin = begin_blocks,
    .read = read_blocks_line,
    .end = end_blocks,
};
