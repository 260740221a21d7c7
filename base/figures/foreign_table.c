#include "base/figures/foreign_table.h"

#include "base/figures/metrics.h"
#include "base/text.h"

#include <string.h>

enum header_match { HEADER_IS, HEADER_HAS };

/* Headers as text_fold leaves them; the first row that fits counts. */
static const struct foreign_header {
    const char *text;
    enum foreign_column column;
    enum header_match match;
    bool figure; /* such a column makes a table one of figures */
} headers[] = {
    {"model", FOREIGN_MODEL, HEADER_IS, false},
    {"modelsize", FOREIGN_MODEL, HEADER_IS, false},
    {"modelname", FOREIGN_MODEL, HEADER_IS, false},
    {"numparams", FOREIGN_PARAMETERS, HEADER_IS, false},
    {"#gpus", FOREIGN_CARDS, HEADER_IS, false},
    {"gpus", FOREIGN_CARDS, HEADER_IS, false},
    {"numgpus", FOREIGN_CARDS, HEADER_IS, false},
    {"numberofgpus", FOREIGN_CARDS, HEADER_IS, false},
    {"#ofgpus", FOREIGN_CARDS, HEADER_IS, false},
    {"#-gpus", FOREIGN_CARDS, HEADER_IS, false},
    {"gpu", FOREIGN_CARD, HEADER_IS, false},
    {"hardware", FOREIGN_CARD, HEADER_IS, false},
    {"accelerator", FOREIGN_CARD, HEADER_IS, false},
    {"system", FOREIGN_CARD, HEADER_IS, false},
    {"seqlen(t)", FOREIGN_LENGTH, HEADER_IS, false},
    {"seqlen", FOREIGN_LENGTH, HEADER_IS, false},
    {"seqlength", FOREIGN_LENGTH, HEADER_IS, false},
    {"sequencelength", FOREIGN_LENGTH, HEADER_IS, false},
    {"microbatchsize", FOREIGN_MICRO, HEADER_IS, false},
    {"mbs", FOREIGN_MICRO, HEADER_IS, false},
    {"gradaccum", FOREIGN_ACCUMULATION, HEADER_IS, false},
    {"ga", FOREIGN_ACCUMULATION, HEADER_IS, false},
    {"globalbatchsize", FOREIGN_GLOBAL, HEADER_IS, false},
    {"gbs", FOREIGN_GLOBAL, HEADER_IS, false},
    {"globalbatchsize(t)", FOREIGN_GLOBAL_TOKENS, HEADER_IS, false},
    {"tp", FOREIGN_TENSOR, HEADER_IS, false},
    {"pp", FOREIGN_PIPELINE, HEADER_IS, false},
    {"cp", FOREIGN_CONTEXT, HEADER_IS, false},
    {"timeperglobalstep(s)", FOREIGN_STEP_SECONDS, HEADER_IS, true},
    {"throughput(t/s/gpu)", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"tokens/sec/gpu", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"tokens/s/gpu", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"tok/s/gpu", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"tokens/second/gpu", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"tokenspersecondpergpu", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"throughput(tokens/s/gpu)", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"throughput(tokens/sec/gpu)", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"tokens/gpu/s", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"tokens/gpu/sec", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"tps/gpu", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"tokens/sec/gpu(tps/gpu)", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"wps", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"tps", FOREIGN_CARD_RATE, HEADER_IS, true},
    {"trainingthroughput", FOREIGN_CARD_RATE, HEADER_HAS, true},
    {"throughput(t/s)", FOREIGN_RATE, HEADER_IS, true},
    {"tok/s", FOREIGN_RATE, HEADER_IS, true},
    {"tokens/s", FOREIGN_RATE, HEADER_IS, true},
    {"tokens/sec", FOREIGN_RATE, HEADER_IS, true},
    {"tokens/second", FOREIGN_RATE, HEADER_IS, true},
    {"throughput(tokens/s)", FOREIGN_RATE, HEADER_IS, true},
    {"throughput(tokens/sec)", FOREIGN_RATE, HEADER_IS, true},
    {"modeltflop", FOREIGN_FLOPS, HEADER_IS, true}, /* llm-foundry: of a card, in FLOP/s */
    {"modeltflop/s/gpu", FOREIGN_TFLOPS, HEADER_IS, true},
    {"modeltflop/sec/gpu", FOREIGN_TFLOPS, HEADER_IS, true},
    {"modeltflops/sec/gpu", FOREIGN_TFLOPS, HEADER_IS, true},
    {"tflop/s/gpu", FOREIGN_TFLOPS, HEADER_IS, true},
    {"tflops/gpu", FOREIGN_TFLOPS, HEADER_IS, true},
    {"tflops/s/gpu", FOREIGN_TFLOPS, HEADER_IS, true},
    {"mfu", FOREIGN_MFU, HEADER_IS, true},
    {"mfu(%)", FOREIGN_MFU, HEADER_IS, true},
    {"timetotrainindays(", FOREIGN_DAYS, HEADER_HAS, true},
    {"评测项", FOREIGN_NAME, HEADER_IS, false},
    {"监控项", FOREIGN_NAME, HEADER_IS, false},
    {"推理工具", FOREIGN_NAME, HEADER_IS, false},
    {"标定比例", FOREIGN_RATIO, HEADER_HAS, true},
    {"测试值", FOREIGN_MEASURED, HEADER_HAS, true},
    {"标定值", FOREIGN_NOMINAL, HEADER_HAS, true},
    {"tflops(cpuwallclock)", FOREIGN_CPU_TFLOPS, HEADER_IS, true},
    {"tflops(kernelclock)", FOREIGN_KERNEL_TFLOPS, HEADER_IS, true},
    {"fu(flopsutilization)-cputime", FOREIGN_CPU_SHARE, HEADER_IS, true},
    {"fu-kerneltime", FOREIGN_KERNEL_SHARE, HEADER_IS, true},
    {"cputime", FOREIGN_CPU_TIME, HEADER_IS, true},
    {"kerneltime", FOREIGN_KERNEL_TIME, HEADER_IS, true},
    {"cputime吞吐", FOREIGN_CPU_RATE, HEADER_IS, true},
    {"kerneltime吞吐", FOREIGN_KERNEL_RATE, HEADER_IS, true},
    {"系统平均功耗", FOREIGN_SYSTEM_MEAN_POWER, HEADER_IS, true},
    {"系统最大功耗", FOREIGN_SYSTEM_MAX_POWER, HEADER_IS, true},
    {"单卡平均功耗", FOREIGN_CARD_MEAN_POWER, HEADER_HAS, true},
    {"单卡最大功耗", FOREIGN_CARD_MAX_POWER, HEADER_HAS, true},
    {"单卡tdp", FOREIGN_CARD_TDP, HEADER_IS, false},
    {"precision", FOREIGN_PRECISION, HEADER_IS, false},
    {"p_val_whole", FOREIGN_VAL_WHOLE, HEADER_IS, true},
    {"p_val_core", FOREIGN_VAL_CORE, HEADER_IS, true},
    {"p_infer_whole", FOREIGN_INFER_WHOLE, HEADER_IS, true},
    {"p_infer_core", FOREIGN_INFER_CORE, HEADER_IS, true},
    {"mem", FOREIGN_MEMORY, HEADER_IS, false},
};

/* A header over two lines is one. */
static void drop_line_breaks(char *folded)
{
    static const char *const breaks[] = {"<br>", "<br/>"};
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++)
        for (char *at; (at = strstr(folded, breaks[i])) != NULL;)
            memmove(at, at + strlen(breaks[i]), strlen(at + strlen(breaks[i])) + 1);
}

static const struct foreign_header *find_foreign_header(const char *header, struct arena *arena)
{
    char *folded = text_fold(arena, header);
    drop_line_breaks(folded);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (headers[i].match == HEADER_IS ? strcmp(folded, headers[i].text) == 0
                                          : strstr(folded, headers[i].text) != NULL)
            return &headers[i];
    return NULL;
}

enum foreign_column foreign_column(const char *header, struct arena *arena)
{
    const struct foreign_header *h = find_foreign_header(header, arena);
    return h ? h->column : FOREIGN_NONE;
}

bool foreign_table_is(const struct table *table, struct arena *arena)
{
    size_t known = 0, figures = 0;
    if (metrics_is_table(table))
        return false;
    for (size_t i = 0; i < table->n_columns; i++) {
        const struct foreign_header *h = find_foreign_header(table->columns[i], arena);
        known += h != NULL;
        figures += h && h->figure;
    }
    return figures > 0 && known > 1;
}
