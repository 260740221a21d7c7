#include "verifier/claims/rule.h"
#include "verifier/logs/log_format.h"
#include "verifier/proofs/recompute.h"

#define MIB_PER_GIB 1024

/* The sample that a figure is. */
static void take_sample_place(struct recomputed *x, const struct monitor_place *at)
{
    x->file = at->file;
    x->line = at->line;
}

/* Of the card that used most. */
static bool memory_of_card(struct audit *a, const struct proof *p, struct recomputed *x)
{
    const struct monitor_peaks *m = &p->peaks;
    if (!m->card_samples)
        return false;
    x->value = m->card_mib / MIB_PER_GIB;
    x->second = m->card_total_mib / MIB_PER_GIB;
    x->pair = !isnan(x->second);
    take_sample_place(x, &m->card_at);
    if (!x->pair) {
        x->derivation = sentence_say(a->arena, "%s / 1024 GiB (largest of %zu samples)",
                                     audit_number(a->arena, m->card_mib), m->card_samples);
        return true;
    }
    x->derivation = sentence_say(a->arena, "%s / 1024 of %s / 1024 GiB (largest of %zu samples)",
                                 audit_number(a->arena, m->card_mib),
                                 audit_number(a->arena, m->card_total_mib), m->card_samples);
    return true;
}

/* Does whoever ran it, or a row, name a card, be it that nothing shows one? */
static bool has_named_card(const struct audit *a, const struct proof *p)
{
    size_t i = 0;
    if (proof_on_processor(p))
        return false;
    for (const struct claim *c; (c = proof_next_claim(a, p, &i)) != NULL;)
        if (c->accelerator && strcmp(c->accelerator->id, "cpu") != 0)
            return true;
    return proof_stated_card(p) || facts_value(&p->facts, FACT_ACCELERATOR_MODEL);
}

/* Of the machine, where there is no card. */
static bool memory_of_machine(struct audit *a, const struct proof *p, struct recomputed *x)
{
    const struct monitor_peaks *m = &p->peaks;
    const char *memory = facts_value(&p->facts, FACT_MEMORY);
    struct figure total;
    figure_parse(memory, a->arena, &total);
    if (has_named_card(a, p) || isnan(m->memory_share) || total.kind != FIGURE_NUMBER)
        return false;
    x->value = m->memory_share * total.value;
    x->second = total.value;
    x->exact = true;
    take_sample_place(x, &m->memory_at);
    x->derivation =
        sentence_say(a->arena, "%s * %s GiB (largest share of the machine's memory)",
                     audit_number(a->arena, m->memory_share), audit_number(a->arena, total.value));
    return true;
}

/* Cards of which only a share is known, as one vendor's monitor gives it. */
static bool memory_of_share(struct audit *a, const struct proof *p, struct recomputed *x)
{
    const struct accelerator *card = proof_accelerator(a, p);
    if (isnan(p->peaks.card_share) || !card || isnan(card->memory_gib))
        return false;
    x->value = p->peaks.card_share * card->memory_gib;
    x->second = card->memory_gib;
    take_sample_place(x, &p->peaks.share_at);
    x->derivation = sentence_say(a->arena, "%s * %s GiB (largest share of a card, %s)",
                                 audit_number(a->arena, p->peaks.card_share),
                                 audit_number(a->arena, card->memory_gib), card->name);
    return true;
}

static void put_typical(struct audit *a, const struct proof *p)
{
    const struct monitor_peaks *m = &p->peaks;
    if (!m->card_samples) {
        recompute_cannot_all(a, p, "memory_typical",
                             "no monitor states the memory of a card in MiB");
        return;
    }
    bool pair = !isnan(m->card_total_mib);
    const struct recomputed x = {
        .key = "memory_typical",
        .value = m->card_typical_mib / MIB_PER_GIB,
        .second = m->card_total_mib / MIB_PER_GIB,
        .decimals = 1,
        .pair = pair,
        .derivation =
            !pair ? sentence_say(a->arena,
                                 "%s / 1024 GiB (median of the samples of the card that uses most "
                                 "memory)",
                                 audit_number(a->arena, m->card_typical_mib))
                  : sentence_say(a->arena,
                                 "%s / 1024 of %s / 1024 GiB (median of the samples of the card "
                                 "that uses most memory)",
                                 audit_number(a->arena, m->card_typical_mib),
                                 audit_number(a->arena, m->card_total_mib)),
        .file = m->card_at.file};
    recompute_put_all(a, p, &x);
}

/* What the training's allocator held, as some logs name it; the best first. */
static const char *const allocators[] = {"MaxMemAllocated (GB)", "Max CUDA memory allocated (GB)",
                                         LOG_MEMORY};

/* Why there is no figure of the memory; what the log itself says of it is named. */
static const char *memory_missing(struct audit *a, const struct proof *p)
{
    const char *why = p->monitor_fault ? p->monitor_fault : "no monitor contains memory samples";
    if (isfinite(p->peaks.card_share))
        why = sentence_say(a->arena,
                           "the monitor shows only the used share of the card's memory (at "
                           "most %s), but the size of this memory is unknown",
                           audit_number(a->arena, p->peaks.card_share));
    for (size_t i = 0; i < sizeof allocators / sizeof allocators[0]; i++) {
        const struct run_log *from;
        const struct log_value *v = proof_value(p, allocators[i], &from);
        if (v)
            return sentence_say(a->arena,
                                "%s; the log states %s = %s (line %d), which is the memory of the "
                                "framework's allocator, not the memory used on the card",
                                why, v->key, audit_number(a->arena, v->value), v->line);
    }
    return why;
}

static void check_peak_memory(struct audit *a, struct proof *p)
{
    struct recomputed x = {.key = "memory", .decimals = 1, .pair = true};
    const char *why = recompute_unsound(p);
    size_t i = 0;
    bool known = !why && (memory_of_card(a, p, &x) || memory_of_machine(a, p, &x) ||
                          memory_of_share(a, p, &x));
    if (!known) {
        why = why ? why : memory_missing(a, p);
        recompute_cannot_all(a, p, "memory", why);
        for (const struct claim *c; recompute_next(a, p, &i, &c);)
            if (c)
                recompute_cannot(a, c, "memory_total", why);
        return;
    }
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        x.key = "memory";
        recompute_put(a, c, &x);
        x.key = "memory_total"; /* per card * cards: the part of one card is compared */
        if (c)
            recompute_put(a, c, &x);
    }
    put_typical(a, p);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s / 1024 of %s / 1024 GiB (largest of %zu samples)",
     .zh = "已用 {1} MiB，共 {2} MiB，除以 1024 得 GiB（{3} 次显存采样的最大值）"},
    {.en = "%s * %s GiB (largest share of the machine's memory)",
     .zh = "机器内存的峰值 = {1} * {2} GiB（内存占用比例的最大值 * 内存总量）"},
    {.en = "%s * %s GiB (largest share of a card, %s)",
     .zh = "显存峰值 = {1} * {2} GiB（单卡显存占用比例的最大值 * {3} 的显存容量）"},
    {.en = "no monitor states the memory of a card in MiB",
     .zh = "监控文件中没有以 MiB 为单位的显存数据"},
    {.en = "%s / 1024 of %s / 1024 GiB (median of the samples of the card that uses most memory)",
     .zh = "已用 {1} MiB，共 {2} MiB，除以 1024 得 GiB（取显存占用最多的那张卡各次采样的中位数）"},
    {.en = "%s / 1024 GiB (largest of %zu samples)",
     .zh = "{1} MiB 除以 1024 得 GiB（{2} 次显存采样的最大值）"},
    {.en = "%s / 1024 GiB (median of the samples of the card that uses most memory)",
     .zh = "{1} MiB 除以 1024 得 GiB（取显存占用最多的那张卡各次采样的中位数）"},
    {.en = "no monitor contains memory samples",
     .zh = "监控文件没有记录显存"},
    {.en = "the monitor shows only the used share of the card's memory (at most %s), but the size "
           "of this memory is unknown",
     .zh = "监控文件只记录了卡的显存占用比例（最高 {1}），而卡的显存容量未知"},
    {.en = "%s; the log states %s = %s (line %d), which is the memory of the framework's "
           "allocator, not the memory used on the card",
     .zh = "{1:said}；日志中的 {2} 为 {3}（第 {4} 行），但这是框架分配器占用的显存，不是卡上实际使"
           "用的显存"},
    {NULL, NULL},
};

const struct rule rule_fp2012 = {
    .id = "FP2012",
    .kind = "memory",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_MONITOR | RULE_QUOTES_MACHINE,
    .proof = check_peak_memory,
    .title = {.en = "Peak of the used memory", .zh = "显存峰值"},
    .statement = {.en = "The used memory that a page states must equal the largest memory sample of "
                        "the monitors.",
                  .zh = "页面填报的已用显存，必须等于监控文件中显存采样的最大值。"},
    .why = {.en = "The peak memory decides whether a case fits on a card. The monitors record the "
                  "memory during the whole run.",
            .zh = "显存峰值决定用例能否在卡上运行。监控程序在整个运行期间记录显存占用，因此能得出显"
                  "存峰值。"},
    .how = {.en = "The rule compares the stated peak memory with the largest sample of the "
                  "accelerator's monitor (MiB / 1024). If the run used no accelerator, the rule "
                  "uses the largest sample of the machine's memory monitor. The stated peak memory "
                  "may differ from the largest sample by one unit in the last printed digit.",
            .zh = "把填报的显存峰值，与加速卡监控中显存采样的最大值（MiB / 1024）比较。运行没有使用"
                  "加速卡时，把填报的显存峰值与机器内存监控的最大值比较。填报的显存峰值与监控的最大"
                  "值，可以相差一个末位单位。"},
    .fix = {.en = "State the largest memory sample of the monitors as the used memory.",
            .zh = "填报已用显存时，采用监控文件中显存采样的最大值。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"0.6/23.5\"",
                .changed = "\"0.1/23.5\""},
};
/* clang-format on */
