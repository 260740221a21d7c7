/* labels: spellings found folded, prefixes kept, and no two rows for one spelling. */
#include "tests/unit/unit.h"

#include "base/figures/labels.h"
#include "base/text.h"

#include <string.h>

static void known_spellings(void **state)
{
    (void)state;
    static const struct {
        enum label_set set;
        const char *text, *key;
    } rows[] = {
        {LABEL_ITEM, "OS版本", "os"},
        {LABEL_ITEM, "CPU 型号", "cpu"},
        {LABEL_ITEM, "Docker版本", "docker"},
        {LABEL_ITEM, "加速卡型号", "accelerator"},
        {LABEL_ITEM, "机器、加速卡型号", "machine_accelerator"},
        {LABEL_ITEM, "OS kernel", "kernel"},
        {LABEL_GENERAL, "**吞吐量**", "throughput"},
        {LABEL_GENERAL, "总吞吐量", "p_whole"},
        {LABEL_GENERAL, "MMMU(val)结果", "mmmu"},
        {LABEL_GENERAL, "计算卡使用率", "mfu"},
        {LABEL_SYMBOL, "seq_length", "MPE"},
        {LABEL_SECTION, "性能指标", "performance"},
        {LABEL_ITEM, "显卡", NULL},
        {LABEL_GROUP, "", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct label *l = label_find(rows[i].set, rows[i].text);
        if (rows[i].key)
            assert_string_equal(l ? l->key : "none", rows[i].key);
        else
            assert_null(l);
    }
}

static void prefixes(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    static const struct {
        enum label_set set;
        const char *text, *key, *prefix, *english;
    } rows[] = {
        {LABEL_GROUP, "H800硬件环境", "hardware", "H800", "H800 hardware environment"},
        {LABEL_GROUP, "软硬件环境", "platform", "", "Hardware and software environment"},
        {LABEL_GROUP, "硬件环境", "hardware", "", "Hardware environment"},
        {LABEL_GROUP, "Atlas 800T A2 软件环境", "software", "Atlas 800T A2",
         "Atlas 800T A2 software environment"},
        {LABEL_SECTION, "3.运行情况", "run", "3.", "3. run details"},
        {LABEL_SECTION, "MLU环境配置", "environment", "MLU", "MLU environment configuration"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *prefix = NULL;
        const struct label *l = label_find_suffix(rows[i].set, rows[i].text, &a, &prefix);
        assert_non_null(l);
        assert_string_equal(l->key, rows[i].key);
        assert_string_equal(prefix, rows[i].prefix);
        assert_string_equal(label_english(rows[i].set, rows[i].text, &a), rows[i].english);
        /* What is printed in English is recognised again. */
        l = label_find_suffix(rows[i].set, rows[i].english, &a, NULL);
        assert_string_equal(l ? l->key : "none", rows[i].key);
    }
    assert_null(label_find_suffix(LABEL_GROUP, "环境", &a, NULL));
    assert_string_equal(label_english(LABEL_ITEM, "某某", &a), "某某");
    /* English says no more than the Chinese does. */
    assert_string_equal(label_english(LABEL_PHRASE, "单卡每秒token数", &a),
                        "tokens per second and card");
    assert_string_equal(label_english(LABEL_PHRASE, "平均单卡每秒处理的token数", &a),
                        "tokens per second and card, on average");
    assert_null(
        strstr(label_english(LABEL_PHRASE, "为跑通或避免显存不足而改的超参", &a), "seqlength"));
    arena_release(&a);
}

/* One spelling must not lead to two rows of a set, or recognition would depend on their order. */
static void spellings_are_unique(void **state)
{
    (void)state;
    for (enum label_set set = LABEL_SECTION; set <= LABEL_PHRASE; set++) {
        size_t n;
        const struct label *rows = labels_of(set, &n);
        for (size_t i = 0; i < n; i++) {
            assert_ptr_equal(label_find(set, rows[i].text.zh), &rows[i]);
            assert_ptr_equal(label_by_key(set, rows[i].key), &rows[i]);
            for (size_t k = 0; rows[i].spellings[k]; k++)
                assert_ptr_equal(label_find(set, rows[i].spellings[k]), &rows[i]);
            if (set != LABEL_PHRASE) /* phrases may share their English */
                assert_ptr_equal(label_find(set, rows[i].text.en), &rows[i]);
            assert_true(set != LABEL_ITEM || rows[i].separator != NULL);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_spellings),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(spellings_are_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
