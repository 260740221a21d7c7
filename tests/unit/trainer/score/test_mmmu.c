/* mmmu: its questions, prompts as FlagPerf writes them, and answers as MMMU's own rules read them.
 */
#include "tests/unit/folder.h"

#include "trainer/score/mmmu.h"

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
        {"[\n{\"id\": \"v_A_1\"}]", ":2: found a question without a text \"question\""},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\"}]", "without an \"image_1\""},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"../a\"}]", "\"image_1\""},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\"}]", "\"answer\""},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\", \"options\": [1]}]",
         "\"options\""},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\", \"options\": [\"x\"], "
         "\"answer\": \"B\"}]",
         "letter of an option"},
        {"[{\"id\": \"v_A_1\", \"question\": \"q\", \"image_1\": \"a\", \"options\": [\"x\"], "
         "\"answer\": \"\"}]",
         "letter of an option"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(questions_are_read),
        IN_FOLDER(prompts_are_those_of_flagperf),
        IN_FOLDER(what_is_no_question_is_refused),
        cmocka_unit_test(answers_are_read_by_the_public_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
