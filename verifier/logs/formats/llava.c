/*
 * LLaVA: two trainings, one after the other, then three blocks of figures. The trainings report as
 * Hugging Face does (huggingface.c); the script itself prints
 *
 *   pretrain time is 1234.5
 *   tokens_pretrain is 727.1                 (a mean length in tokens)
 *   finetune time is 3456.7
 *   tokens_finetune is 512.9
 *   Pretrain stage                           (then its System tokens per second … MFU)
 *   Finetune stage                           (the same)
 *   two-stage average                        (then MFU and the power that it stands for)
 *
 * The figures of a block are kept under their own names, where the last block wins, and under
 * "<block>: <name>", so that none is lost.
 */
#include "verifier/logs/log_format.h"

static const char *const stages[] = {"Pretrain stage", "Finetune stage", "two-stage average"};

static const char *const sentences[] = {"pretrain time is", "finetune time is",
                                        "tokens_pretrain is", "tokens_finetune is"};

static bool read_llava_line(struct log_reader *r, struct span s)
{
    double value;
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (span_is(s, stages[i])) {
            r->heading = stages[i];
            return true;
        }
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++) {
        struct span name = span_of(sentences[i]), rest = span_from(s, name.n);
        if (!span_starts(s, sentences[i]) || span_number(rest, &value) != rest.n || rest.n == 0)
            continue;
        log_add_value(r, name, value);
        return true;
    }
    return false;
}

const struct log_format log_format_llava = {
    .name = "llava",
    .reads = "FlagPerf's LLaVA case",
    .sample = "tokens_pretrain is 727.1",
    .first = "PFtpf",
    .read = read_llava_line,
};
