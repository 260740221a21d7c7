/* worded: numbers in sentences that claim something of a metric, and those that do not. */
#include "tests/unit/unit.h"

#include "base/figures/worded_number.h"
#include "verifier/claims/worded.h"

#include <string.h>

static const struct {
    const char *text;
    double value;
    bool percent;
} numbers[] = {
    {"999,999", 999999, false},
    {"1.2e6", 1.2e6, false},
    {"800万", 8e6, false},
    {"99.9k", 99900, false},
    {"8 million", 8e6, false},
    {"eight million", 8e6, false},
    {"ninety-seven percent", 97, true},
    {"two hundred and five", 205, false},
    {"八百万", 8e6, false},
    {"一亿二千万", 1.2e8, false},
    {"九万九千九百", 99900, false},
    {"九七", 97, false},
    {"十二", 12, false},
    {"百分之九十七点五", 97.5, true},
    {"97 %", 97, true},
};

static void numbers_in_words_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct worded_number x;
        if (worded_number_scan(numbers[i].text, &x) != strlen(numbers[i].text))
            fail_msg("%s: not read to its end", numbers[i].text);
        assert_float_equal(x.value, numbers[i].value, 1e-9 * numbers[i].value);
        assert_int_equal(x.percent, numbers[i].percent);
    }
}

static const struct {
    const char *label, *text, *claim; /* claim NULL: none */
    enum worded_in in;
} claims[] = {
    {NULL, "八百万 token 每秒", "八百万", WORDED_IN_TEXT},
    {NULL, "999,999 tokens per second", "999,999", WORDED_IN_TEXT},
    {NULL, "每秒处理九万词元", "九万", WORDED_IN_TEXT},
    {NULL, "up to 99999 tоkens/s", "99999", WORDED_IN_TEXT},
    {NULL, "MFU可以达到约50%", "50%", WORDED_IN_TEXT},
    {NULL, "97% HFU", "97%", WORDED_IN_TEXT},
    {NULL, "M.F.U. 97%", "97%", WORDED_IN_TEXT},
    {NULL, "980 TFLOPS", "980", WORDED_IN_TEXT},
    {NULL, "5x faster than another", "5", WORDED_IN_TEXT},
    {"集群每秒token", "999999", "999999", WORDED_IN_TEXT},
    {"TPS", "999999", "999999", WORDED_IN_TEXT},
    {"训练时间", "3.2 小时", "3.2", WORDED_IN_TEXT},
    {"比 A100 快", "5 倍", "5", WORDED_IN_TEXT},
    {"显存占用", "1.2 GB", "1.2", WORDED_IN_TEXT},
    {"loss scale", "65536", NULL, WORDED_IN_TEXT},
    {"训练时间", "2026-11-27", NULL, WORDED_IN_TEXT},
    {"网络速度", "200 Gb/s", NULL, WORDED_IN_TEXT},
    {NULL, "训练前1亿个token", NULL, WORDED_IN_TEXT},
    {NULL, "MMLU回答准确率（few_shots:5）", NULL, WORDED_IN_TEXT},
    {NULL, "llama2-7B MFU", NULL, WORDED_IN_TEXT},
    {NULL, "acc1 of 8 cards", NULL, WORDED_IN_TEXT},
    {NULL, "https://example.com/tps/99", NULL, WORDED_IN_TEXT},
    {NULL, "H100 SXM 700 W, 989 TFLOPS", NULL, WORDED_IN_MACHINE},
    {NULL, "DeepSpeed 0.14.3 (99999 tokens/s)", "99999", WORDED_IN_MACHINE},
    {NULL, "InfiniBand，2x200 Gb/s", NULL, WORDED_IN_MACHINE},
    {NULL, "GAS=64(globalbs=2M tokens)", NULL, WORDED_IN_MACHINE},
    {NULL, "⑨⑨⑨⑨⑨ tokens/s", "99999", WORDED_IN_TEXT},
    {NULL, "٩٩٩ tokens/s", "999", WORDED_IN_TEXT},
    {NULL, "$9.9\\times10^{7}$ tokens/s", "7", WORDED_IN_TEXT},
    {NULL, "3T 词/日", "3t", WORDED_IN_TEXT},
    {NULL, "性能为H100的2倍", "2", WORDED_IN_TEXT},
    {NULL, "twice the speed of an H100", "twice the", WORDED_IN_TEXT},
    {"吞吐量", "翻了两番", "翻了", WORDED_IN_TEXT},
    {NULL, "final loss → 0.31", "0.31", WORDED_IN_TEXT},
    {NULL, "the learning rate is 2 times that of the case", NULL, WORDED_IN_TEXT},
    {NULL, "a double precision run on 2x H100", NULL, WORDED_IN_TEXT},
};

static void claims_are_told_from_other_numbers(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        struct worded x = {NULL, NULL, 0, 0, WORDED_OF_NONE};
        size_t at = 0;
        const char *label = claims[i].label ? worded_plain(&arena, claims[i].label) : NULL;
        bool found =
            worded_next(worded_plain(&arena, claims[i].text), &at, label, claims[i].in, &arena, &x);
        if (found != (claims[i].claim != NULL) ||
            (found && strncmp(x.text, claims[i].claim, strlen(claims[i].claim)) != 0))
            fail_msg("%s: %s", claims[i].text, found ? x.text : "no claim");
    }
    arena_release(&arena);
}

static void a_second_number_is_no_count(void **state)
{
    static const struct {
        const char *remark, *number;
    } rows[] = {
        {"99999", "99999"},      {"最高 99999", "99999"},
        {"99999 peak", "99999"}, {"up to 99999", "99999"},
        {"约九万", "九万"},      {"mfu 99%", "99%"},
        {"60 steps", NULL},      {"step 60", NULL},
        {"fp8", NULL},           {"1x8", NULL},
        {"峰值", NULL},          {"seq 4096", NULL},
        {"4096 tokens", NULL},   {"", NULL},
        {"理论算力=495t", NULL},
    };
    (void)state;
    struct arena arena = ARENA_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct worded x = {NULL, NULL, 0, 0, WORDED_OF_NONE};
        bool found = worded_second(rows[i].remark, &arena, &x);
        if (found != (rows[i].number != NULL) || (found && strcmp(x.text, rows[i].number) != 0))
            fail_msg("%s: %s", rows[i].remark, found ? x.text : "none");
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_words_are_read),
        cmocka_unit_test(claims_are_told_from_other_numbers),
        cmocka_unit_test(a_second_number_is_no_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
