#include "collector/submission/draft.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Bullets of the environment block, in page order: which fact fills which label. */
static const struct bullet {
    const char *label;
    enum fact_id fact;
} hardware[] =
    {
        {"机器型号", FACT_MACHINE},
        {"加速卡型号", FACT_ACCELERATOR_MODEL},
        {"CPU型号", FACT_CPU_MODEL},
        {"多机网络类型、带宽", FACT_INFINIBAND},
},
  software[] = {
      {"OS版本", FACT_OS},
      {"OS kernel版本", FACT_KERNEL},
      {"加速卡驱动版本", FACT_ACCELERATOR_DRIVER},
      {"训练框架版本", FACT_FPREPORT},
      {"依赖软件版本", FACT_BLAS},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_native(const struct draft_input *in)
{
    return strcmp(in->case_record->trainer, "native") == 0;
}

/* What took no part in the run is not told: a row of the processor in an environment with a card
 * would contradict it. */
static const char *drafted_fact(const struct draft_input *in, enum fact_id id)
{
    if (id == FACT_FPREPORT && !is_native(in))
        return in->framework;
    bool left_out = in->on_processor && text_starts(fact_kinds[id].key, "accelerator_");
    const char *seen = left_out ? NULL : facts_value(in->facts, id);
    return !seen && id == FACT_ACCELERATOR_MODEL ? in->card : seen;
}

static void add_group(struct environment *e, const char *label, const struct bullet *bullets,
                      size_t n, const struct draft_input *in, struct arena *arena)
{
    struct group *g = ARENA_PUSH(arena, e->groups, e->n_groups);
    g->label = label;
    for (size_t i = 0; i < n; i++) {
        const char *value = drafted_fact(in, bullets[i].fact);
        /* What nobody saw of a run, or of cards that no tool shows, is neither there nor missing:
         * its author may add it. */
        bool of_cards = text_starts(fact_kinds[bullets[i].fact].key, "accelerator_");
        if (!value && (in->adopted || (in->card && of_cards)))
            continue;
        struct item *item = ARENA_PUSH(arena, g->items, g->n_items);
        *item = (struct item){.label = bullets[i].label, .value = value ? value : "无"};
    }
}

/* A case for a command leaves the replicas to the run. 0: not known. */
static double global_batch(const struct draft_input *in)
{
    const struct case_record *c = in->case_record;
    double data = (double)in->laid->size[LAYOUT_DATA];
    if (is_native(in) || c->parallel || data == 0)
        return case_sequences(c);
    double steps = c->gradient_accumulation ? (double)c->gradient_accumulation : 1;
    return (double)c->micro_batch * steps * data;
}

static void add_batch(const struct draft_input *in, struct arena *arena, struct result *out)
{
    const struct case_record *c = in->case_record;
    long long steps = c->gradient_accumulation ? c->gradient_accumulation : 1;
    const struct {
        const char *name, *symbol;
        double value; /* 0: the case does not say */
    } sizes[] = {
        {"local_batchsize", "LBS", (double)c->micro_batch},
        {"seqlength", "MPE", (double)c->sequence_length},
        {"gradient_accumulate_steps", "GAS", c->micro_batch ? (double)steps : 0},
        {"global_batchsize", "GBS", global_batch(in)},
    };
    for (size_t i = 0; i < COUNT(sizes); i++) {
        if (sizes[i].value == 0)
            continue;
        struct batch_item *b = ARENA_PUSH(arena, out->batch, out->n_batch);
        *b = (struct batch_item){.name = sizes[i].name, .symbol = sizes[i].symbol};
        struct batch_value *v = ARENA_PUSH(arena, b->values, b->n_values);
        v->value = arena_printf(arena, "%.0f", sizes[i].value);
    }
}

static void add_row(struct table *t, struct arena *arena, const char *const *cells, size_t n)
{
    struct row *row = ARENA_PUSH(arena, t->rows, t->n_rows);
    row->cells = arena_array(arena, n, sizeof *row->cells);
    row->n_cells = n;
    for (size_t i = 0; i < n; i++)
        row->cells[i].text = cells[i];
}

static struct table *new_table(struct arena *arena, const char *const *columns, size_t n)
{
    struct table *t = arena_alloc(arena, sizeof *t);
    t->columns = arena_array(arena, n, sizeof *t->columns);
    t->n_columns = n;
    memcpy(t->columns, columns, n * sizeof *columns);
    return t;
}

/* What the machine is called in the row: its card, the processor where the run was on it, else
 * nothing: a card that nobody named is not known. */
static const char *device_name(const struct draft_input *in)
{
    const char *card = drafted_fact(in, FACT_ACCELERATOR_MODEL);
    return card ? card : in->on_processor ? "CPU" : "";
}

/* What was recomputed under this name; NULL: nothing, and then the page has no such column. */
static const char *drafted_figure(const struct draft_input *in, const char *name,
                                  struct arena *arena)
{
    for (size_t i = 0; i < in->n_metrics; i++)
        if (strcmp(in->metrics[i].name, name) == 0)
            return figure_print(in->metrics[i].found, arena);
    return NULL;
}

static void add_general(const struct draft_input *in, struct arena *arena, struct result *out)
{
    static const char *const columns[] = {"指标名称", "指标值", "特殊说明"};
    const struct case_record *c = in->case_record;
    const struct {
        const char *cells[3];
        const char *figure; /* only when this figure has a column */
    } rows[] = {
        {{"任务类别", c->task.zh ? c->task.zh : "", ""}, NULL},
        {{"模型", in->model ? in->model->id : c->model, ""}, NULL},
        {{"数据集", c->data && c->data->name ? c->data->name : "", ""}, NULL},
        {{"数据精度", "precision,见“性能指标”", ""}, NULL},
        {{"超参修改", "fix_hp,见“性能指标”", ""}, NULL},
        {{"硬件设备简称", device_name(in), ""}, NULL},
        {{"硬件存储使用", "mem,见“性能指标”", "GiB"}, "memory"},
        {{"计算使用率", "MFU,见“性能指标”", ""}, "mfu"},
        {{"**吞吐量**", "**token/p/s,见“性能指标”**", ""}, "token_per_s_per_card"},
    };
    out->general = new_table(arena, columns, COUNT(columns));
    for (size_t i = 0; i < COUNT(rows); i++)
        if (!rows[i].figure || drafted_figure(in, rows[i].figure, arena))
            add_row(out->general, arena, rows[i].cells, COUNT(columns));
}

static const char *count_word(long long n, struct arena *arena)
{
    return n == 1 ? "单" : arena_printf(arena, "%lld", n);
}

/* "CPU单机单卡（1x1）", "NVIDIA H200单机8卡（1x8）": the notation of the pages. */
static const char *configuration(const struct draft_input *in, struct arena *arena)
{
    const long long *size = in->laid->size;
    const char *count = is_native(in) ? NULL : drafted_fact(in, FACT_ACCELERATOR_COUNT);
    long long cards = size[LAYOUT_CARDS] ? size[LAYOUT_CARDS]
                      : count            ? strtoll(count, NULL, 10)
                                         : 1;
    long long nodes = size[LAYOUT_NODES] ? size[LAYOUT_NODES] : 1;
    nodes = cards % nodes ? 1 : nodes;
    return arena_printf(arena, "%s%s机%s卡（%lldx%lld）", device_name(in), count_word(nodes, arena),
                        count_word(cards, arena), nodes, cards / nodes);
}

/* "TP4PP8DP1" of a run that says its plan, or of a case that divides the model; NULL: replicas. */
static const char *parallel_plan(const struct draft_input *in, struct arena *arena)
{
    const struct case_parallel *p = in->case_record->parallel;
    if (!is_native(in))
        return layout_has_plan(in->laid) ? layout_plan_text(in->laid, arena) : NULL;
    if (!p || (p->tensor <= 1 && p->pipeline <= 1))
        return NULL;
    return arena_printf(arena, "TP%lldPP%lldDP%lld", p->tensor ? p->tensor : 1,
                        p->pipeline ? p->pipeline : 1, p->data ? p->data : 1);
}

static void draft_figures(const struct draft_input *in, struct arena *arena, struct result *out)
{
    const char *precision = in->case_record->precision;
    const struct {
        const char *column, *cell;
    } all[] = {
        {"配置", configuration(in, arena)},
        {"precision", precision ? precision : "fp32"},
        {"parallel", parallel_plan(in, arena)},
        {"fix_hp", "/"},
        {"token/p/s", drafted_figure(in, "token_per_s_per_card", arena)},
        {"loss", drafted_figure(in, "loss", arena)},
        {"mem", drafted_figure(in, "memory", arena)},
        {"MFU", drafted_figure(in, "mfu", arena)},
    };
    const char *columns[COUNT(all)], *cells[COUNT(all)];
    size_t n = 0;
    for (size_t i = 0; i < COUNT(all); i++) {
        if (!all[i].cell)
            continue;
        columns[n] = all[i].column;
        cells[n++] = all[i].cell;
    }
    struct block *b = ARENA_PUSH(arena, out->performance, out->n_performance);
    b->table = new_table(arena, columns, n);
    add_row(b->table, arena, cells, n);
}

void draft_result(const struct draft_input *in, struct arena *arena, struct result *out)
{
    const char *heading = in->vendor && in->vendor->heading ? in->vendor->heading : in->vendor_id;
    shape_init(&result_shape, out);
    out->vendor = in->vendor_id;
    out->case_id = in->case_record->id;
    out->title = arena_printf(arena, "%s配置与运行信息参考", heading);
    out->run_title = "运行情况";
    struct environment *environment = ARENA_PUSH(arena, out->environments, out->n_environments);
    environment->title = "环境配置";
    add_group(environment, "硬件环境", hardware, COUNT(hardware), in, arena);
    add_group(environment, "软件环境", software, COUNT(software), in, arena);
    add_batch(in, arena, out);
    add_general(in, arena, out);
    draft_figures(in, arena, out);
    if (in->archive) {
        struct evidence *e = ARENA_PUSH(arena, out->evidence, out->n_evidence);
        *e = (struct evidence){.archive = in->archive, .sha256 = in->sha256, .table = 1, .row = 1};
    }
}
