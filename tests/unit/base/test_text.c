/* text: every UTF-8 sequence, the foldings, and lines. */
#include "tests/unit/unit.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* RFC 3629's grammar, written out by ranges: an oracle that shares no arithmetic with the code. */
static size_t by_grammar(const unsigned char *b, size_t n)
{
    static const struct {
        unsigned char first[2], second[2];
        size_t len;
    } rows[] = {
        {{0x00, 0x7F}, {0x00, 0xFF}, 1}, {{0xC2, 0xDF}, {0x80, 0xBF}, 2},
        {{0xE0, 0xE0}, {0xA0, 0xBF}, 3}, {{0xE1, 0xEC}, {0x80, 0xBF}, 3},
        {{0xED, 0xED}, {0x80, 0x9F}, 3}, {{0xEE, 0xEF}, {0x80, 0xBF}, 3},
        {{0xF0, 0xF0}, {0x90, 0xBF}, 4}, {{0xF1, 0xF3}, {0x80, 0xBF}, 4},
        {{0xF4, 0xF4}, {0x80, 0x8F}, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (b[0] < rows[i].first[0] || b[0] > rows[i].first[1])
            continue;
        if (rows[i].len > n)
            return 0;
        if (rows[i].len > 1 && (b[1] < rows[i].second[0] || b[1] > rows[i].second[1]))
            return 0;
        for (size_t k = 2; k < rows[i].len; k++)
            if (b[k] < 0x80 || b[k] > 0xBF)
                return 0;
        return rows[i].len;
    }
    return 0;
}

static void utf8_follows_the_grammar(void **state)
{
    (void)state;
    static const unsigned char tails[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90,
                                          0x9F, 0xA0, 0xBF, 0xC0, 0xE4, 0xFF};
    unsigned char s[4];
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++)
            for (size_t k = 0; k < sizeof tails * sizeof tails; k++) {
                s[0] = (unsigned char)first;
                s[1] = (unsigned char)second;
                s[2] = tails[k / sizeof tails];
                s[3] = tails[k % sizeof tails];
                for (size_t n = 1; n <= 4; n++)
                    if (utf8_next((char *)s, n, NULL) != by_grammar(s, n))
                        fail_msg("%02X %02X %02X %02X of %zu", s[0], s[1], s[2], s[3], n);
            }
    assert_int_equal(utf8_next("", 0, NULL), 0);
}

static void every_code_point_goes_out_and_in(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= 0x110000; c++) {
        char room[4];
        uint32_t back = 0;
        size_t n = utf8_put(room, c);
        bool exists = c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
        if (utf8_next(room, n, &back) != (exists ? n : 0) || (exists && back != c))
            fail_msg("U+%04X", (unsigned)c);
    }
}

static void the_first_bad_byte_is_found(void **state)
{
    (void)state;
    assert_int_equal(utf8_valid_until("显存", 6), 6);
    assert_int_equal(utf8_valid_until("显存", 5), 3);
    assert_int_equal(utf8_valid_until("a\xC0\xAF", 3), 1);
    assert_int_equal(utf8_valid_until("", 0), 0);
}

static void quotes_are_cut_between_characters(void **state)
{
    (void)state;
    assert_int_equal(text_cut("显存显存", 6), 6);
    assert_int_equal(text_cut("显存显存", 7), 6);
    assert_int_equal(text_cut("显存显存", 8), 6);
    assert_int_equal(text_cut("显存", 60), 6);
    assert_int_equal(text_cut("显", 2), 0);
    assert_int_equal(text_cut("abc", 2), 2);
    assert_int_equal(text_cut("", 5), 0);
}

static void spaces_are_trimmed(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    assert_string_equal(text_trim(&a, " \t　显 存　\r\n"), "显 存");
    assert_string_equal(text_trim(&a, "　 "), "");
    assert_string_equal(text_trim(&a, "\xC2\xA0x\xC2\xA0"), "x");
    assert_string_equal(text_trim(&a, "\x80 "), "\x80");
    assert_string_equal(text_trim_n(&a, " ab ", 3), "ab");
    arena_release(&a);
}

static void words_are_whole(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
        bool there;
    } rows[] = {
        {"nvidia a100 sxm4", "a100", true}, {"a100", "a100", true},       {"xa100", "a100", false},
        {"r300+", "r300", false},           {"r300+ r300", "r300", true}, {"a", "", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(text_has_word(rows[i].text, rows[i].word), rows[i].there);
}

static void chinese_is_known_by_its_characters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool there;
    } rows[] = {
        {"处理器", true}, {"CPU型号", true},   {"1x8）", true},     {"\xF0\xA0\x80\x80", true},
        {"", false},      {"µs ± 2 ×", false}, {"\xE5\x8D", false}, {"\x80 Ω→", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(text_has_han(rows[i].text), rows[i].there);
}

static void names_fold_to_what_people_mean(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
    } pairs[] = {
        {"**吞吐量**", "吞吐量 ", true},
        {"OS 版本", "os版本", true},
        {"ＭＦＵ", "mfu", true},
        {"acc（MMLU）", "ACC(mmlu)", true},
        {"map\\_bbox", "map_bbox", true},
        {"`/`", "/", true},
        {"R300", "R300+", false},
        {"A100", "A800", false},
        {"", " 　*", true},
        {"é", "É", false},        /* only ASCII letters have a case here */
        {"a\x80", "a\x81", true}, /* what is not UTF-8 reads as U+FFFD */
        {"a", "ab", false},
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        bool folded = strcmp(text_fold(&a, pairs[i].a), text_fold(&a, pairs[i].b)) == 0;
        if (text_same(pairs[i].a, pairs[i].b) != pairs[i].same || folded != pairs[i].same)
            fail_msg("'%s' and '%s'", pairs[i].a, pairs[i].b);
        assert_true(text_may_be_same(pairs[i].a, pairs[i].b) || !pairs[i].same);
    }
    assert_false(text_may_be_same("loss", "MFU") || text_may_be_same("精度", "配置") ||
                 text_may_be_same("精度", "precision"));
    assert_false(text_may_be_same("loss", "Lm") || text_may_be_same("精度", "粗度"));
    assert_true(text_may_be_same("loss", "Lo") && text_may_be_same("ＭＦＵ", "mfu") &&
                text_may_be_same(" a", "b") && text_may_be_same("", "a"));
    assert_string_equal(text_fold_words(&a, "NVIDIA_A100-SXM4-40GB"), "nvidia a100 sxm4 40gb");
    assert_string_equal(text_fold_words(&a, " 曦云®C500  64G "), "曦云®c500 64g");
    assert_string_equal(text_fold_words(&a, "R300+"), "r300+");
    assert_string_equal(text_fold_words(&a, "(Ｒ３００)"), "r300");
    assert_string_equal(text_fold_words(&a, "--"), "");
    arena_release(&a);
}

/* Whatever the bytes, folding ends, stays in its memory and is idempotent. */
static void any_bytes_fold(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    unsigned seed = 7;
    for (int round = 0; round < 5000; round++) {
        char s[33];
        size_t n = 0;
        for (seed = seed * 1664525u + 1013904223u; n < (seed >> 16) % 32; n++) {
            seed = seed * 1664525u + 1013904223u;
            s[n] = (char)((seed >> 8) % 255 + 1);
        }
        s[n] = '\0';
        char *once = text_fold(&a, s), *words = text_fold_words(&a, s);
        assert_string_equal(text_fold(&a, once), once);
        assert_string_equal(text_fold_words(&a, words), words);
        assert_true(text_same(s, once));
        assert_int_equal(utf8_valid_until(once, strlen(once)), strlen(once));
    }
    arena_release(&a);
}

static void names_of_a_list_are_compared_whole(void **state)
{
    struct arena a = ARENA_INIT;
    static const char *const names[] = {NULL, "1x16", "1x1", "x16", "1x1", NULL, "x16", "1x16"};
    (void)state;
    assert_string_equal(text_list(&a, names, 8), "1x16, 1x1, x16");
    assert_string_equal(text_list(&a, names, 1), "");
    assert_string_equal(text_list(&a, NULL, 0), "");
    arena_release(&a);
}

static void lines_end_in_any_way(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    size_t n;
    char **lines = text_lines(&a, "a\r\n\nb\rc\n", &n);
    assert_int_equal(n, 3);
    assert_string_equal(lines[0], "a");
    assert_string_equal(lines[1], "");
    assert_string_equal(lines[2], "b\rc");
    text_lines(&a, "", &n);
    assert_int_equal(n, 0);
    lines = text_lines(&a, "no newline", &n);
    assert_int_equal(n, 1);
    assert_string_equal(lines[0], "no newline");
    assert_true(text_starts("abc", "ab") && !text_starts("ab", "abc"));
    assert_true(text_ends("a.json", ".json") && !text_ends("json", ".json"));
    arena_release(&a);
}

static void sizes_and_numbers_are_for_people(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    static const struct {
        unsigned long long bytes;
        const char *text;
    } rows[] = {
        {0, "0 bytes"},          {1, "1 byte"},
        {1023, "1023 bytes"},    {1024, "1.0 KiB"},
        {47087, "46.0 KiB"},     {1048575, "1.0 MiB"},
        {1048576, "1.0 MiB"},    {1 << 30, "1.0 GiB"},
        {1ULL << 41, "2.0 TiB"}, {1ULL << 60, "1048576.0 TiB"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(text_size(&a, rows[i].bytes), rows[i].text);
    assert_string_equal(text_count(&a, 1, "entry", "entries"), "1 entry");
    assert_string_equal(text_count(&a, 0, "entry", "entries"), "0 entries");
    arena_release(&a);
}

static void three_words_in_a_row_are_english(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool prose;
    } rows[] = {
        {"this program is built", true},
        {"the fpreport project", true},
        {"not in there", true},
        {" (a run of three words)", true},
        {"NVIDIA H200 SXM", false},
        {"BERT large, uncased", false},
        {"tokens/s per card", false},
        {"two words", false},
        {"Moore Threads MTT S4000", false},
        {"Intel Xeon Platinum", false},
        {"/proc/uptime of one two", true},
        {"", false},
        {"one  two  three", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(text_is_prose(rows[i].text, strlen(rows[i].text)), rows[i].prose);
    assert_false(text_is_prose("two words more", 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_follows_the_grammar),
        cmocka_unit_test(sizes_and_numbers_are_for_people),
        cmocka_unit_test(every_code_point_goes_out_and_in),
        cmocka_unit_test(the_first_bad_byte_is_found),
        cmocka_unit_test(quotes_are_cut_between_characters),
        cmocka_unit_test(spaces_are_trimmed),
        cmocka_unit_test(words_are_whole),
        cmocka_unit_test(names_fold_to_what_people_mean),
        cmocka_unit_test(chinese_is_known_by_its_characters),
        cmocka_unit_test(any_bytes_fold),
        cmocka_unit_test(names_of_a_list_are_compared_whole),
        cmocka_unit_test(lines_end_in_any_way),
        cmocka_unit_test(three_words_in_a_row_are_english),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
