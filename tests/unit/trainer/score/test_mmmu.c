/* mmmu: its questions, prompts as FlagPerf writes them, and answers as MMMU's own rules read them.
 */
#include "tests/unit/folder.h"

#include "trainer/score/mmmu.h"
#include "trainer/score/mmmu_free.h"
#include "trainer/score/mmmu_score.h"
#include "trainer/score/python_list.h"

#include <math.h>

/* ---- questions ------------------------------------------------------------------------------ */

static int load_text(struct folder *f, const char *text, struct mmmu *out, struct err *err)
{
    struct diags diags;
    *err = (struct err)ERR_INIT;
    diags_init(&diags, &f->arena);
    const char *path = path_join(&f->arena, f->path, MMMU_FILE);
    assert_int_equal(file_write(path, text, strlen(text), err), 0);
    return mmmu_load(f->path, &f->arena, out, &diags, err);
}

#define CHOSEN                                                                                   \
    "{\"id\": \"validation_Art_Theory_12\", \"question\": \"What is <image 1>?\", \"options\": " \
    "[\"A dog\", \"Six Dollars\", \"none\"], \"answer\": \"B\", \"image_1\": \"i/1.png\"}"
#define FREE                                                                         \
    "{\"id\": \"validation_Math_3\", \"question\": \"How many?\", \"options\": [], " \
    "\"answer\": [\"3\", \"three\"], \"image_1\": \"2.jpg\", \"explanation\": \"?\"}"

static void questions_are_read(void **state)
{
    struct err err;
    struct mmmu m;
    if (load_text(*state, "[" CHOSEN ", " FREE "]", &m, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(m.n, 2);
    assert_string_equal(m.questions[0].subject, "Art_Theory");
    assert_string_equal(m.questions[0].image, "i/1.png");
    assert_int_equal(m.questions[0].n_choices, 3);
    assert_int_equal(m.questions[0].answer, 1);
    assert_string_equal(m.questions[1].subject, "Math");
    assert_int_equal(m.questions[1].n_choices, 0);
    assert_int_equal(m.questions[1].n_answers, 2);
    assert_string_equal(m.questions[1].answers[1], "three");
}

static void prompts_are_those_of_flagperf(void **state)
{
    struct err err;
    struct mmmu m;
    struct buf out;
    assert_int_equal(load_text(*state, "[" CHOSEN ", " FREE "]", &m, &err), 0);
    buf_init(&out, 4096);
    mmmu_prompt(&m.questions[0], &out);
    assert_string_equal(out.data,
                        "What is <image 1>?\n(A) A dog\n(B) Six Dollars\n(C) none\nAnswer with the "
                        "option's letter from the given choices directly.");
    buf_clear(&out);
    mmmu_prompt(&m.questions[1], &out);
    assert_string_equal(out.data, "How many?\nAnswer the question using a single word or phrase.");
    buf_release(&out);
}

static void what_is_no_question_is_refused(void **state)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"[]", "found no array of questions"},
        {"{}", "found no array of questions"},
        {"[1]", "without an \"id\""},
        {"[{\"id\": \"a_1\"}]", "without an \"id\""},
        {"[\n{\"id\": \"v_A_1\"}]",
         ":2: question 1 (v_A_1): found a question without a text \"question\""},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\"}]", "without an \"image_1\""},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"../a\"}]", "\"image_1\""},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\"}]", "\"answer\""},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\", \"question_type\": \"x\"}]",
         "multiple-choice or open"},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\", \"question_type\": 1}]",
         "\"question_type\" that is a text"},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\", \"options\": [1]}]",
         "\"options\""},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\", \"options\": [\"x\"], "
         "\"answer\": \"B\"}]",
         "letter of an option"},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\", \"options\": [\"x\"], "
         "\"answer\": \"\"}]",
         "an \"answer\" that is not empty"},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\", \"answer\": [\"x\", \" "
         "\"]}]",
         "an \"answer\" that is not empty"},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\", "
         "\"options\": \"['x', 'y'\", \"answer\": \"A\"}]",
         "question 1 (v_A_1): found a question without \"options\""},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\", "
         "\"options\": \"[1, 2]\", \"answer\": \"A\"}]",
         "as Python writes it"},
        {"[" FREE ", " CHOSEN ",\n" FREE "]",
         ":2: question 3 (validation_Math_3): found the id of question 1 again"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err;
        struct mmmu m;
        if (load_text(*state, cases[i].text, &m, &err) == 0)
            fail_msg("%s was read", cases[i].text);
        if (!strstr(err.text, cases[i].expected))
            fail_msg("%s: found \"%s\", expected \"%s\"", cases[i].text, err.text,
                     cases[i].expected);
    }
}

/* As Python's ast.literal_eval reads them. */
static void lists_of_python_are_read(void **state)
{
    struct folder *f = *state;
    static const struct {
        const char *text;
        int n; /* -1: it is none */
        const char *last;
    } cases[] = {
        {"[]", 0, NULL},
        {" [ ] ", 0, NULL},
        {"['$6']", 1, "$6"},
        {"['a', \"it's\", 'say \\'x\\'']", 3, "say 'x'"},
        {"['\\xe9\\u4e2d\\U0001f600\\n\\\\']", 1, "\u00e9\u4e2d\U0001f600\n\\"},
        {"['a',]", 1, "a"},
        {"['a' 'b']", -1, NULL},
        {"['a'", -1, NULL},
        {"['a", -1, NULL},
        {"['a\\", -1, NULL},
        {"['\\ud800']", -1, NULL},
        {"['\\x0']", -1, NULL},
        {"['a'] b", -1, NULL},
        {"[1]", -1, NULL},
        {"a", -1, NULL},
        {"", -1, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char **texts;
        size_t n;
        bool read = python_list_texts(cases[i].text, &f->arena, &texts, &n);
        if (read != (cases[i].n >= 0) || (read && (int)n != cases[i].n))
            fail_msg("%s: found %d of %zu, expected %d", cases[i].text, read, n, cases[i].n);
        if (read && n)
            assert_string_equal(texts[n - 1], cases[i].last);
    }
}

static void tables_of_mmmu_are_read(void **state)
{
    struct err err;
    struct mmmu m;
    if (load_text(
            *state,
            "[{\"id\": \"validation_Art_1\", \"question\": \"?\", \"options\": \"['x', 'y']\", "
            "\"answer\": \"B\", \"question_type\": \"multiple-choice\", \"image_1\": \"a\"}, "
            "{\"id\": \"validation_Art_2\", \"question\": \"?\", \"options\": \"['x', 'y']\", "
            "\"answer\": \"['7', 'seven']\", \"question_type\": \"open\", \"image_1\": \"a\"}]",
            &m, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(m.questions[0].n_choices, 2);
    assert_string_equal(m.questions[0].choices[1], "y");
    assert_int_equal(m.questions[0].answer, 1);
    assert_int_equal(m.questions[1].n_choices, 0);
    assert_int_equal(m.questions[1].n_answers, 2);
    assert_string_equal(m.questions[1].answers[1], "seven");
}

/* ---- answers -------------------------------------------------------------------------------- */

/* Worked out by hand along MMMU's parse_multi_choice_response. */
static void answers_are_read_by_the_public_rules(void **state)
{
    (void)state;
    static const char *texts[] = {"A dog", "Six Dollars", "none"};
    const struct mmmu_question q = {.choices = texts, .n_choices = 3};
    static const struct {
        const char *generated;
        int choice; /* -1: none */
    } cases[] = {
        {"B", 1},
        {"B.", 1},
        {"'B'", 1},
        {"B,.", -1}, /* "B," is left: the comma's turn is over */
        {"(B)", 1},
        {"The answer is (B).", 1},
        {"(A) or (C)?", 2},    /* the last */
        {"(C) and not A ", 2}, /* brackets first */
        {"A and then B maybe", 1},
        {"It is A", 0},
        {"a", -1},
        {"D", -1}, /* no choice */
        {"(D) or (A)", 0},
        {"six dollars", -1}, /* five words or less */
        {"I would say that it is six dollars", 1},
        {"I would say six dollars and a dog", 0}, /* the last of two texts */
        {"", -1},
        {"...", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int choice = mmmu_choice_of(&q, cases[i].generated);
        if (choice != cases[i].choice)
            fail_msg("\"%s\": found %d, expected %d", cases[i].generated, choice, cases[i].choice);
    }
}

/* What MMMU's parse_open_response and eval_open say, run in Python. */
static void free_answers_are_read_by_the_public_rules(void **state)
{
    (void)state;
    static const struct {
        const char *answer, *generated;
        bool right;
    } cases[] = {
        {"3", "3", true},
        {"3", "The answer is 3.", true},
        {"3", "3.004", true}, /* rounded to two decimals */
        {"3", "3.01", false},
        {"3", "13", false},
        {"3", "it is 3x", false}, /* \b */
        {"3", "so 3, 4", false},  /* no comma behind it */
        {"4", "so 3, 4", true},
        {"1234", "about 1,234 dollars", true},
        {"1234", "1,2345", false}, /* 12345 without commas; "1,234" is no whole word */
        {"-2", "x = -2", true},
        {"10000", "1e4", true},
        {"1000", "1_000", true},         /* float() takes it */
        {"2.67", "2.675", true},         /* the nearest double lies below */
        {"yes", "Yes, it is so", false}, /* behind the last key there is nothing of it */
        {"yes", "Yes", true},
        {"two words", "I see Two Words here", true},
        {"a", "a", true},
        {"a", "banana", false}, /* a blank in front or behind */
        {"a", "it was a fruit", true},
        {"inf", "infinity", true}, /* both are numbers */
        {"nan", "nan", false},     /* not equal to itself */
        {"5", "first is 4\nthen is 5", true},
        {"4", "first is 4\nthen is 5", true},
        {"9", "4 + 5 = 9", true},
        {"9", "4 + 5 = 9\nthat is all", false}, /* "=" counts in the last line */
        {"", "anything", true},
        {"x", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (mmmu_free_is_right(&cases[i].answer, 1, cases[i].generated) != cases[i].right)
            fail_msg("\"%s\" for \"%s\": found %d", cases[i].generated, cases[i].answer,
                     !cases[i].right);
}

/* Two of three and one of two are right, one question is not asked. */
static void replies_add_up(void **state)
{
    (void)state;
    struct mmmu_question q[6] = {
        {.subject = "Physics", .n_choices = 2},   {.subject = "Art", .n_choices = 2},
        {.subject = "Physics", .n_choices = 2},   {.subject = "Physics", .n_choices = 0},
        {.subject = "Elsewhere", .n_choices = 2}, {.subject = "Art", .n_choices = 0}};
    struct mmmu_reply replies[6] = {
        {.asked = true, .right = true}, {.asked = true, .right = true}, {.asked = true},
        {.asked = true, .right = true}, {.asked = true, .drawn = true}, {.asked = false}};
    const struct mmmu m = {.questions = q, .n = 6};
    struct mmmu_score s = {.arena = ARENA_INIT, .replies = replies};
    mmmu_score_add_up(&s, &m);
    assert_int_equal(s.n_subjects, 3);
    assert_string_equal(s.subjects[0].name, "Art");
    assert_string_equal(s.subjects[2].name, "Physics");
    assert_float_equal(s.subjects[2].share.share, 2.0 / 3, 1e-15);
    assert_float_equal(s.subjects[2].share.error, sqrt(2.0 / 9 / 2), 1e-15);
    assert_true(isnan(s.subjects[0].share.error)); /* of one question */
    assert_int_equal(s.n_disciplines, 2);
    assert_string_equal(s.disciplines[0].name, "Art and Design");
    assert_string_equal(s.disciplines[1].name, "Science");
    assert_float_equal(s.all.share.share, 0.6, 1e-15);
    assert_int_equal(s.chosen.n, 4);
    assert_int_equal(s.free.right, 1);
    assert_int_equal(s.drawn, 1);
    assert_int_equal(s.left_out, 1);
    mmmu_score_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(questions_are_read),
        IN_FOLDER(prompts_are_those_of_flagperf),
        IN_FOLDER(what_is_no_question_is_refused),
        IN_FOLDER(lists_of_python_are_read),
        IN_FOLDER(tables_of_mmmu_are_read),
        cmocka_unit_test(free_answers_are_read_by_the_public_rules),
        cmocka_unit_test(replies_add_up),
        cmocka_unit_test(answers_are_read_by_the_public_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
