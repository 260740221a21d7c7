#include "tests/unit/unit.h"
#include "verifier/shard_doc.h"

#include "base/json/json_parts.h"
#include "tests/unit/folder.h"

#include <string.h>

static const char digits[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static const struct shard_head head = {.number = 1,
                                       .of = 3,
                                       .tool = "0.1.0",
                                       .rules = "2026.3",
                                       .settings = "records r; at now",
                                       .fail_on = SEVERITY_ERROR,
                                       .list = digits,
                                       .own = digits};

static const struct verdict verdicts[] = {
    {.id = "acme/toy", .file = "r/results/acme/toy.json", .state = STATE_UNVERIFIED},
    {.id = "globex/toy", .file = "r/results/globex/toy.json", .state = STATE_FAILED},
};
static const struct shard_lent lent = {"accelerator a100", "acme", "toy", 4, true};
static const struct shard_path path = {"evidence/a.tar.zst", "r/results/acme/toy.json"};
static const struct shard_end end = {.code = 1, .kept = digits};

/* `file` NULL: all of it stays in `text`. */
static void write_doc(struct buf *text, struct file_cache *file)
{
    struct shard_writer w;
    struct err err = ERR_INIT;
    shard_doc_begin(&w, text, file, &head);
    for (size_t i = 0; i < 2; i++) {
        const struct across_result of = {.place = 4 + i,
                                         .id = verdicts[i].id,
                                         .file = verdicts[i].file,
                                         .state = verdicts[i].state};
        assert_int_equal(shard_doc_add(&w, &verdicts[i], &of, &err), 0);
    }
    assert_int_equal(shard_doc_end(&w, &lent, 1, &path, 1, &end, &err), 0);
    shard_doc_release(&w);
}

static void put_file(const char *to, const char *data, size_t len)
{
    struct file_cache file;
    struct err err = ERR_INIT;
    assert_int_equal(file_cache_begin(&file, to, 0, &err), 0);
    assert_int_equal(file_cache_add(&file, data, len, &err), 0);
    assert_int_equal(file_cache_end(&file, "", 0, &err), 0);
    file_cache_drop(&file);
}

static void has_head(const struct shard_doc *d)
{
    assert_int_equal(d->head.number, head.number);
    assert_int_equal(d->head.of, head.of);
    assert_string_equal(d->head.tool, head.tool);
    assert_string_equal(d->head.rules, head.rules);
    assert_null(d->head.only);
    assert_string_equal(d->head.settings, head.settings);
    assert_int_equal(d->head.fail_on, head.fail_on);
    assert_string_equal(d->head.list, head.list);
    assert_string_equal(d->head.own, head.own);
    assert_int_equal(d->end.code, end.code);
    assert_false(d->end.incomplete);
    assert_string_equal(d->end.kept, digits);
}

static size_t elements_of(struct bytes array)
{
    struct json_parts parts = json_parts_of(array);
    struct json_part part;
    size_t n = 0;
    while (json_parts_next(&parts, &part))
        n++;
    assert_false(parts.bad);
    return n;
}

static struct bytes first_of(struct bytes array)
{
    struct json_parts parts = json_parts_of(array);
    struct json_part part;
    assert_true(json_parts_next(&parts, &part));
    return part.value;
}

static void test_it_is_read_as_it_was_written(void **state)
{
    struct folder *f = *state;
    struct shard_doc d;
    struct shard_lent took;
    struct shard_path named;
    struct across_result across;
    struct buf text;
    struct err err = ERR_INIT;
    buf_init(&text, SHARD_DOC_MAX);
    write_doc(&text, NULL);
    put_file(in_folder(state, "1.json"), text.data, text.len);
    assert_int_equal(shard_doc_read(in_folder(state, "1.json"), &f->arena, &d, &err), 0);
    has_head(&d);
    assert_int_equal(elements_of(d.runs), 2);
    assert_int_equal(elements_of(d.across), 2);
    assert_int_equal(
        shard_doc_take(&d, &shard_lent_shape, first_of(d.lent), &took, &f->arena, &err), 0);
    assert_string_equal(took.name, lent.name);
    assert_int_equal(took.place, lent.place);
    assert_true(took.seen);
    assert_int_equal(
        shard_doc_take(&d, &shard_path_shape, first_of(d.paths), &named, &f->arena, &err), 0);
    assert_string_equal(named.path, path.path);
    assert_int_equal(
        shard_doc_take(&d, &across_shape, first_of(d.across), &across, &f->arena, &err), 0);
    assert_int_equal(across.place, 4);
    assert_string_equal(across.id, "acme/toy");
    buf_release(&text);
}

/* Written to a file in pieces, it is what it is in memory. */
static void test_a_file_has_the_same_bytes(void **state)
{
    struct folder *f = *state;
    struct file_cache file;
    struct buf whole, pieces;
    struct bytes read;
    struct err err = ERR_INIT;
    buf_init(&whole, SHARD_DOC_MAX);
    buf_init(&pieces, SHARD_DOC_MAX);
    write_doc(&whole, NULL);
    assert_int_equal(file_cache_begin(&file, in_folder(state, "1.json"), 0, &err), 0);
    write_doc(&pieces, &file);
    assert_int_equal(file_cache_end(&file, "", 0, &err), 0);
    file_cache_drop(&file);
    assert_int_equal(file_read(in_folder(state, "1.json"), SHARD_DOC_MAX, &f->arena, &read, &err),
                     0);
    assert_int_equal(read.len, whole.len);
    assert_memory_equal(read.data, whole.data, whole.len);
    buf_release(&whole);
    buf_release(&pieces);
}

static void is_refused(void **state, const char *data, size_t len)
{
    struct folder *f = *state;
    struct shard_doc d;
    struct err err = ERR_INIT;
    put_file(in_folder(state, "1.json"), data, len);
    assert_int_equal(shard_doc_read(in_folder(state, "1.json"), &f->arena, &d, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "expected one that 'fpreport verify --shard K/N"));
}

static void test_what_was_changed_or_cut_is_refused(void **state)
{
    struct buf text;
    buf_init(&text, SHARD_DOC_MAX);
    write_doc(&text, NULL);
    for (size_t at = 0; at < text.len; at += 7) {
        text.data[at] ^= 1;
        is_refused(state, text.data, text.len);
        text.data[at] ^= 1;
    }
    for (size_t len = 0; len < text.len; len += 61)
        is_refused(state, text.data, len);
    is_refused(state, text.data, text.len - 1);
    buf_release(&text);
}

static void test_what_is_not_there_is_said(void **state)
{
    struct folder *f = *state;
    struct shard_doc d = {.path = "1.json"};
    struct shard_path named;
    struct err err = ERR_INIT;
    assert_int_equal(shard_doc_read(in_folder(state, "none.json"), &f->arena, &d, &err), -1);
    assert_non_null(strstr(err.text, "none.json"));
    d.path = "1.json";
    err = (struct err)ERR_INIT;
    assert_int_equal(
        shard_doc_take(&d, &shard_path_shape, (struct bytes){NULL, 0}, &named, &f->arena, &err),
        -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "1.json: found a part that is missing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_it_is_read_as_it_was_written),
        IN_FOLDER(test_a_file_has_the_same_bytes),
        IN_FOLDER(test_what_was_changed_or_cut_is_refused),
        IN_FOLDER(test_what_is_not_there_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
