/*
 * seal and submission: what is sealed passes sha256sum, the same run gives the same bytes, and
 * every way to tamper is found and named.
 */
#include "base/files/file.h"
#include "tests/unit/archive_file.h"

#include "collector/submission/seal.h"
#include "trainer/run/rundir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
    struct arena arena;
    struct err err;
    struct diags diags;
    char folder[64];
    struct rundir run;
};

static const char log_text[] = "[PerfLog] {\"event\": \"INIT_START\"}\n";

static int set_up(void **state)
{
    static struct place place;
    struct place *p = &place;
    *p = (struct place){.arena = ARENA_INIT};
    *state = p;
    diags_init(&p->diags, &p->arena);
    strcpy(p->folder, "/tmp/fpreport-seal-XXXXXX");
    if (!mkdtemp(p->folder))
        return -1;
    struct rundir_options options = {.parent = p->folder,
                                     .case_id = "tiny",
                                     .case_key = "tiny:fpreport:CPU:1:1:1",
                                     .case_bytes = {"{}\n", 3},
                                     .host = "host"};
    struct fact fact = {"os", "Debian 12", NULL};
    struct facts facts = {.items = &fact, .n = 1};
    struct run_end end = {.state = RUN_COMPLETE};
    if (rundir_create(&p->run, &options, &p->arena, &p->err) < 0 ||
        rundir_write_facts(&p->run, &facts, &p->err) < 0 ||
        file_write(p->run.log, log_text, strlen(log_text), &p->err) < 0)
        return -1;
    return rundir_finish(&p->run, &end, &p->err);
}

static int tear_down(void **state)
{
    struct place *p = *state;
    file_remove_tree(p->folder, &p->err);
    arena_release(&p->arena);
    return 0;
}

static const char *in_folder(struct place *p, const char *name)
{
    return path_join(&p->arena, p->folder, name);
}

static bool said(const struct place *p, const char *file, const char *message)
{
    for (size_t i = 0; i < p->diags.n; i++)
        if (strstr(p->diags.items[i].file, file) && strstr(p->diags.items[i].message, message))
            return true;
    for (size_t i = 0; i < p->diags.n; i++)
        print_message("# %s:%d: %s\n", p->diags.items[i].file, p->diags.items[i].line,
                      p->diags.items[i].message);
    return false;
}

static void sealed_runs_pass_sha256sum(void **state)
{
    struct place *p = *state;
    struct submission s, again;
    const char *path = in_folder(p, "out/x.tar.zst");
    struct err err = ERR_INIT;
    if (seal_run(p->run.root, path, true, NULL, &p->arena, &s, &p->diags, &err) < 0)
        fail_msg("%s", p->diags.items[0].message);
    assert_true(s.intact);
    assert_int_equal(s.n, 7);
    assert_int_equal(s.n_sums, 5);
    const struct bytes *log =
        submission_file(&s, "tiny:fpreport:CPU:1:1:1/round1/host_noderank0/rank0.out.log");
    assert_string_equal(log->data, log_text);
    assert_null(submission_file(&s, "none"));
    char *command = arena_printf(
        &p->arena,
        "cd %s/out && mkdir un && zstd -dqc x.tar.zst | tar -C un -xf - && cd un && "
        "sha256sum --quiet --strict -c SHA256SUMS && test \"$(sha256sum <SHA256SUMS)\" = '%s  -' "
        "&& "
        "test \"$(sha256sum <../x.tar.zst)\" = '%s  -' && LC_ALL=C sort -c -k2 SHA256SUMS && "
        "test $(find . -type f | wc -l) = 7",
        p->folder, s.id, s.archive_sha256);
    assert_int_equal(system(command), 0);

    assert_int_equal(submission_open(path, &p->arena, &again, &p->diags), 0);
    assert_true(again.intact);
    assert_string_equal(again.id, s.id);
    assert_string_equal(again.archive_sha256, s.archive_sha256);
    assert_int_equal(p->diags.n, 0);
}

static void the_same_run_gives_the_same_bytes(void **state)
{
    struct place *p = *state;
    struct buf one, two;
    buf_init(&one, BUF_DEFAULT_MAX);
    buf_init(&two, BUF_DEFAULT_MAX);
    assert_int_equal(seal_pack(p->run.root, NULL, &one, &p->arena, &p->diags, &p->err), 0);
    char *command = arena_printf(&p->arena,
                                 "cp -r %s %s/copy && find %s/copy -exec touch -d 2001-01-01 {} + "
                                 "&& chmod -R 700 %s/copy",
                                 p->run.root, p->folder, p->folder, p->folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(seal_pack(in_folder(p, "copy"), NULL, &two, &p->arena, &p->diags, &p->err), 0);
    assert_int_equal(one.len, two.len);
    assert_memory_equal(one.data, two.data, one.len);
    buf_release(&one);
    buf_release(&two);
}

static int seal_now(struct place *p)
{
    struct submission s;
    const char *path = in_folder(p, "x.tar.zst");
    struct err err = ERR_INIT;
    p->diags.n = 0;
    int rc = seal_run(p->run.root, path, true, NULL, &p->arena, &s, &p->diags, &err);
    assert_int_equal(err.kind, rc == 0 ? ERR_NONE : ERR_INPUT);
    assert_int_equal(file_exists(path), rc == 0);
    unlink(path);
    return rc;
}

static void only_complete_runs_are_sealed(void **state)
{
    struct place *p = *state;
    struct run_end end = {RUN_FAILED, 3, 0, "exit status 3"};
    assert_int_equal(rundir_finish(&p->run, &end, &p->err), 0);
    assert_int_equal(seal_now(p), -1);
    assert_true(
        said(p, "run.json", "state is 'failed', only a 'complete' run can be sealed: exit"));
    struct rundir_options options = {
        .parent = p->folder, .case_id = "x", .case_bytes = {"{}", 2}, .host = "h"};
    assert_int_equal(rundir_create(&p->run, &options, &p->arena, &p->err), 0);
    assert_int_equal(seal_now(p), -1);
    assert_true(said(p, "run.json", "state is 'running'"));
    const char *state_file = path_join(&p->arena, p->run.root, "run.json");
    assert_int_equal(file_write(state_file, "{}", 2, &p->err), 0);
    assert_int_equal(seal_now(p), -1);
    assert_true(said(p, "run.json", "schema"));
    assert_int_equal(file_write(state_file, "{\"st", 4, &p->err), 0);
    assert_int_equal(seal_now(p), -1);
    unlink(state_file);
    assert_int_equal(seal_now(p), -1);
    p->run.root = arena_strdup(&p->arena, in_folder(p, "none"));
    assert_int_equal(seal_now(p), -1);
    assert_true(said(p, "/none", "not a run directory"));
}

static void what_cannot_be_packed_is_named(void **state)
{
    struct place *p = *state;
    const char *in[] = {".hidden", "a b", "SHA256SUMS", "line\nbreak"};
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        assert_int_equal(file_write(path_join(&p->arena, p->run.root, in[i]), "", 0, &p->err), 0);
    assert_int_equal(symlink("/etc/passwd", path_join(&p->arena, p->run.root, "link")), 0);
    assert_int_equal(mkfifo(path_join(&p->arena, p->run.root, "fifo"), 0600), 0);
    assert_int_equal(seal_now(p), -1);
    assert_int_equal(p->diags.n, 6);
    assert_true(said(p, ".hidden", "begins with '.'"));
    assert_true(said(p, "a b", "byte other than"));
    assert_true(said(p, "SHA256SUMS", "must not be there yet"));
    assert_true(said(p, "line\\x0abreak", "byte other than"));
    assert_true(said(p, "link", "is a link or a special file"));
    assert_true(said(p, "fifo", "is a link or a special file"));
}

static void a_full_disk_is_an_error(void **state)
{
    struct place *p = *state;
    struct submission s;
    struct err err = ERR_INIT;
    assert_int_equal(
        seal_run(p->run.root, "/dev/null/x", true, NULL, &p->arena, &s, &p->diags, &err), -1);
    assert_int_equal(err.kind, ERR_IO);
    assert_int_equal(p->diags.n, 0);
}

#define HEX_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HEX_UPPER "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define SUM_OF_X "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" /* "x" */

/* Each row is an archive whose files are a = "x", b = "x" unless told, and its manifest. */
static void every_tampering_is_named(void **state)
{
    static const struct {
        const char *manifest, *file, *message;
        size_t faults;
    } rows[] = {
        {SUM_OF_X "  a\n" SUM_OF_X "  b\n", NULL, NULL, 0},
        {SUM_OF_X "  a\n", "/b", "the file is not listed in SHA256SUMS", 1},
        {SUM_OF_X "  a\n" HEX_A "  b\n", "/b",
         "the SHA-256 of the file is " SUM_OF_X ", expected " HEX_A, 1},
        {HEX_A "  a\n" HEX_A "  b\n", "/a", "expected " HEX_A, 2},
        {SUM_OF_X "  a\n" SUM_OF_X "  b\n" HEX_A "  c\n", "/c", "but the file is missing", 1},
        {SUM_OF_X "  b\n" SUM_OF_X "  a\n", "/SHA256SUMS", "'a' follows 'b'", 2},
        {SUM_OF_X "  a\n" SUM_OF_X "  a\n" SUM_OF_X "  b\n", "/SHA256SUMS", "unique names", 1},
        {SUM_OF_X " *a\n" SUM_OF_X "  b\n", "/SHA256SUMS", "expected '<64 hex digits>", 2},
        {SUM_OF_X "  a\n" SUM_OF_X "  b", "/SHA256SUMS", "the last line has no line end", 2},
        {SUM_OF_X "  ../a\n", "/SHA256SUMS", "the name '../a' has a component", 3},
        {"", "/a", "is not listed", 2},
        {SUM_OF_X "\n", "/SHA256SUMS", "expected '<64 hex digits>", 3},
        {SUM_OF_X "  a\n" SUM_OF_X "  b\n" SUM_OF_X "  \n", "/SHA256SUMS", "expected '<64 hex", 1},
        {"G" SUM_OF_X "  a\n", "/SHA256SUMS", "expected '<64 hex digits>", 3},
        {SUM_OF_X "  a\n" HEX_UPPER "  b\n", "/SHA256SUMS",
         "the digest is not 64 lower-case hex digits", 2},
        {SUM_OF_X "  SHA256SUMS\n" SUM_OF_X "  a\n" SUM_OF_X "  b\n", "/SHA256SUMS",
         "'SHA256SUMS' must not be listed", 1},
        {NULL, "x.tar.zst", "contains no SHA256SUMS", 1},
    };
    struct place *p = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tar_member members[] = {{"a", {"x", 1}}, {"b", {"x", 1}}, {"SHA256SUMS", {"", 0}}};
        struct submission s;
        const char *path = in_folder(p, "x.tar.zst");
        if (rows[i].manifest)
            members[2].bytes = (struct bytes){rows[i].manifest, strlen(rows[i].manifest)};
        p->diags.n = 0;
        write_archive(path, members, rows[i].manifest ? 3 : 2);
        assert_int_equal(submission_open(path, &p->arena, &s, &p->diags), 0);
        assert_int_equal(s.intact, rows[i].faults == 0);
        if (p->diags.n != rows[i].faults)
            fail_msg("row %zu: %zu faults", i, p->diags.n);
        if (rows[i].faults)
            assert_true(said(p, rows[i].file, rows[i].message));
    }
}

/* Each row is an archive of these, in this order; NULL is none. */
static void what_is_no_sealed_run_is_named(void **state)
{
    static const char sums[] = SUM_OF_X "  a\n", zero[] = SUM_OF_X "  a\n\0";
    static const struct {
        struct tar_member members[3];
        size_t n;
        const char *file, *message;
        size_t faults;
    } rows[] = {
        {{{NULL, {"", 0}}},
         0,
         "x.tar.zst",
         "the file contains no SHA256SUMS: it is not a sealed run",
         1},
        {{{"SHA256SUMS", {"", 0}}}, 1, NULL, NULL, 0},
        {{{"SHA256SUMS", {sums, sizeof sums - 1}}, {"a", {"x", 1}}}, 2, NULL, NULL, 0},
        {{{"SHA256SUMS", {zero, sizeof zero - 1}}, {"a", {"x", 1}}},
         2,
         "/SHA256SUMS",
         "contains a NUL byte",
         1},
        {{{"SHA256SUMS", {sums, sizeof sums - 1}},
          {"a", {"x", 1}},
          {"statement.json", {"{}\n", 3}}},
         3,
         "/statement.json",
         "the file is not a statement about the SHA256SUMS of this submission",
         1},
        {{{"SHA256SUMS", {sums, sizeof sums - 1}},
          {"a", {"x", 1}},
          {"statement.json.sig", {"", 0}}},
         3,
         "/statement.json.sig",
         "the signature exists, but statement.json is missing",
         1},
    };
    struct place *p = *state;
    const char *path = in_folder(p, "x.tar.zst");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tar_member members[3];
        struct submission s;
        memcpy(members, rows[i].members, sizeof members);
        p->diags.n = 0;
        write_archive(path, members, rows[i].n);
        assert_int_equal(submission_open(path, &p->arena, &s, &p->diags), 0);
        assert_int_equal(s.intact, rows[i].faults == 0);
        if (p->diags.n != rows[i].faults)
            fail_msg("row %zu: %zu faults", i, p->diags.n);
        if (rows[i].faults)
            assert_true(said(p, rows[i].file, rows[i].message));
    }
    struct submission none;
    p->diags.n = 0;
    unlink(path);
    assert_int_equal(submission_open(path, &p->arena, &none, &p->diags), -1);
    assert_true(p->diags.n == 1 && said(p, "x.tar.zst", "No such file or directory"));
}

/* Of what stands behind the last line that is read nothing is known, so nothing is said of it. */
static void more_files_than_there_may_be(void **state)
{
    struct place *p = *state;
    struct submission s;
    struct buf sums;
    buf_init(&sums, 4 << 20);
    for (int i = 0; i < ARCHIVE_ENTRIES_MAX; i++)
        buf_printf(&sums, SUM_OF_X "  a%05d\n", i);
    buf_str(&sums, SUM_OF_X "  b\n");
    struct tar_member members[] = {{"SHA256SUMS", {sums.data, sums.len}}, {"b", {"x", 1}}};
    write_archive(in_folder(p, "x.tar.zst"), members, 2);
    assert_int_equal(submission_open(in_folder(p, "x.tar.zst"), &p->arena, &s, &p->diags), 0);
    assert_false(s.intact);
    assert_int_equal(p->diags.n, 1);
    assert_true(said(p, "/SHA256SUMS", "SHA256SUMS lists more than 20000 files, the limit"));
    buf_release(&sums);
}

/* The same files in a tar as others make them are sound, and are told to be sealed again. */
static void another_tar_is_no_canonical_one(void **state)
{
    struct place *p = *state;
    struct submission s;
    char *command = arena_printf(&p->arena,
                                 "cd %s && printf x >a && sha256sum a >SHA256SUMS && tar "
                                 "--mtime=@7 -cf - SHA256SUMS a | zstd -q >x.tar.zst",
                                 p->folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(submission_open(in_folder(p, "x.tar.zst"), &p->arena, &s, &p->diags), 0);
    assert_false(s.intact || s.canonical);
    assert_int_equal(p->diags.n, 1);
    assert_true(said(p, "x.tar.zst",
                     "the tar inside is not in the canonical form (ustar, sorted, mode 0644, no "
                     "owner, time 0, nothing after its end); seal the run again"));
}

/* Each row is an archive of a = "x" and what it declares to be withheld; SHA256SUMS lists a and b.
 */
static void what_is_withheld_is_what_was_sealed(void **state)
{
    static const struct {
        const char *withheld, *file, *message;
        size_t n; /* withheld; 0: it is altered */
    } rows[] = {
        {SUM_OF_X "  b\n", NULL, NULL, 1},
        {HEX_A "  b\n", "/WITHHELD",
         "'b' is listed as withheld, but SHA256SUMS does not list it with the same checksum", 0},
        {SUM_OF_X "  b\n" SUM_OF_X "  c\n", "/WITHHELD",
         "'c' is listed as withheld, but SHA256SUMS", 0},
        {SUM_OF_X "  a\n" SUM_OF_X "  b\n", "/a",
         "the file is listed as withheld, but the submission contains it", 0},
        {SUM_OF_X "  a\n", "/b", "SHA256SUMS lists this file, but the file is missing", 0},
        {SUM_OF_X "  b", "/WITHHELD", "the last line has no line end", 0},
        {SUM_OF_X "  b\n" SUM_OF_X "  b\n", "/WITHHELD", "unique names", 0},
        {"", "/WITHHELD", "the list of withheld files is empty", 0},
    };
    static const char sums[] = SUM_OF_X "  a\n" SUM_OF_X "  b\n";
    struct place *p = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tar_member members[] = {{"SHA256SUMS", {sums, strlen(sums)}},
                                       {"WITHHELD", {rows[i].withheld, strlen(rows[i].withheld)}},
                                       {"a", {"x", 1}}};
        struct submission s;
        const char *path = in_folder(p, "x.tar.zst");
        p->diags.n = 0;
        write_archive(path, members, 3);
        assert_int_equal(submission_open(path, &p->arena, &s, &p->diags), 0);
        assert_false(s.intact);
        assert_int_equal(s.n_withheld, rows[i].n);
        assert_int_equal(p->diags.n == 0, rows[i].n > 0);
        if (!rows[i].n)
            assert_true(said(p, rows[i].file, rows[i].message));
    }
}

static void a_manifest_lists_the_run_alone(void **state)
{
    (void)state;
    static const struct tar_member members[] = {{"SHA256SUMS", {"s", 1}},
                                                {"WITHHELD", {"w", 1}},
                                                {"a", {"x", 1}},
                                                {"statement.json", {"{}", 2}}};
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    submission_manifest(members, 4, &text);
    assert_string_equal(text.data, SUM_OF_X "  a\n");
    buf_release(&text);
}

static bool is_named(void *self, const char *path)
{
    return strcmp(self, path) == 0;
}

static void redacted_runs_say_what_is_gone(void **state)
{
    struct place *p = *state;
    struct submission s, again;
    struct buf packed, redacted;
    const char *gone = "case.json", *none = "none";
    buf_init(&packed, BUF_DEFAULT_MAX);
    buf_init(&redacted, BUF_DEFAULT_MAX);
    assert_int_equal(seal_pack(p->run.root, NULL, &packed, &p->arena, &p->diags, &p->err), 0);
    assert_int_equal(submission_open_bytes((struct bytes){packed.data, packed.len}, "x", &p->arena,
                                           &s, &p->diags),
                     0);
    assert_int_equal(submission_redact(&s, is_named, (void *)none, &p->arena, &redacted, &p->err),
                     -1);
    assert_int_equal(p->err.kind, ERR_USAGE);
    p->err = (struct err)ERR_INIT;
    assert_int_equal(submission_redact(&s, is_named, (void *)gone, &p->arena, &redacted, &p->err),
                     0);
    assert_int_equal(submission_open_bytes((struct bytes){redacted.data, redacted.len}, "y",
                                           &p->arena, &again, &p->diags),
                     0);
    assert_int_equal(again.n_withheld, 1);
    assert_string_equal(again.id, s.id);
    assert_null(submission_file(&again, gone));
    assert_int_equal(p->diags.n, 0);
    buf_release(&packed);
    buf_release(&redacted);
}

/* Without signing even: the seal of the frame finds every bit. */
static void damaged_archives_are_never_taken_for_the_good_one(void **state)
{
    struct place *p = *state;
    struct buf packed;
    buf_init(&packed, BUF_DEFAULT_MAX);
    assert_int_equal(seal_pack(p->run.root, NULL, &packed, &p->arena, &p->diags, &p->err), 0);
    struct bytes bytes = {packed.data, packed.len};
    for (size_t bit = 0; bit < packed.len * 8; bit += 5) {
        struct arena a = ARENA_INIT;
        struct diags diags;
        struct submission s;
        diags_init(&diags, &a);
        packed.data[bit / 8] ^= (char)(1 << bit % 8);
        int rc = submission_open_bytes(bytes, "x", &a, &s, &diags);
        assert_int_equal(rc, -1);
        assert_true(diags.errors == 1);
        packed.data[bit / 8] ^= (char)(1 << bit % 8);
        arena_release(&a);
    }
    buf_release(&packed);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_PLACE(sealed_runs_pass_sha256sum),
        IN_PLACE(the_same_run_gives_the_same_bytes),
        IN_PLACE(only_complete_runs_are_sealed),
        IN_PLACE(what_cannot_be_packed_is_named),
        IN_PLACE(a_full_disk_is_an_error),
        IN_PLACE(every_tampering_is_named),
        IN_PLACE(what_is_no_sealed_run_is_named),
        IN_PLACE(more_files_than_there_may_be),
        IN_PLACE(another_tar_is_no_canonical_one),
        IN_PLACE(what_is_withheld_is_what_was_sealed),
        cmocka_unit_test(a_manifest_lists_the_run_alone),
        IN_PLACE(redacted_runs_say_what_is_gone),
        IN_PLACE(damaged_archives_are_never_taken_for_the_good_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
