#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/json/shape.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/intake/import_mlperf.h"
#include "cli/intake/import_mlperf_table.h"
#include "cli/intake/import_received.h"
#include "cli/intake/import_worker.h"
#include "cli/intake/mlperf_records.h"
#include "collector/page/import.h"

#include <string.h>
#include <strings.h>

#define DEFAULT_OUT "records/results"

/* Vendor and case: as given, else from a path that ends <vendor>/<case>/README.md. */
static int name_page(const struct cli *cli, const char *path, struct arena *arena,
                     const char **vendor, const char **case_id)
{
    if (!import_path_ids(path, arena, vendor, case_id))
        *vendor = *case_id = NULL;
    if (cli->opt.vendor)
        *vendor = cli->opt.vendor;
    if (cli->opt.case_id)
        *case_id = cli->opt.case_id;
    if (!*vendor || !*case_id)
        return cli_usage(
            cli,
            "%s: the path does not end with <vendor>/<case>/README.md; pass --vendor and --case",
            path);
    if (!shape_is_id(*vendor) || !shape_is_id(*case_id))
        return cli_usage(cli,
                         "\"%s/%s\" is not a valid name of a result: use only letters, digits "
                         "and . _ + -",
                         *vendor, *case_id);
    return 0;
}

static bool is_other_spelling(const char *name, const char *own)
{
    return strcasecmp(name, own) == 0 && strcmp(name, own) != 0;
}

/* What is there already under this name but for the case of letters, in any vendor's folder; a
 * project has place for one of them. NULL: nothing is. */
static const char *other_spelling(struct cli *cli, const char *out, const struct result *r)
{
    struct dir_entry *vendors, *files;
    struct err ignored = ERR_INIT; /* a folder that is not there yet has none */
    struct arena *a = &cli->arena;
    const char *file = arena_printf(a, "%s.json", r->case_id);
    size_t n, n_files;
    if (dir_list(out, a, &vendors, &n, &ignored) < 0)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        const char *folder = path_join(a, out, vendors[i].name);
        if (vendors[i].is_dir && is_other_spelling(vendors[i].name, r->vendor))
            return folder;
        if (!vendors[i].is_dir || dir_list(folder, a, &files, &n_files, &ignored) < 0)
            continue;
        for (size_t k = 0; k < n_files; k++)
            if (is_other_spelling(files[k].name, file))
                return path_join(a, folder, files[k].name);
    }
    return NULL;
}

static int save_imported(struct cli *cli, const struct result *r)
{
    const char *out = cli->opt.out ? cli->opt.out : DEFAULT_OUT;
    if (strcmp(out, "-") == 0) {
        shape_save_text(&result_shape, r, &cli->out);
        return 0;
    }
    const char *other = other_spelling(cli, out, r);
    if (other)
        return cli_usage(cli,
                         "%s/%s: this name differs from %s only in upper and lower case; use the "
                         "same name (--vendor, --case), or a different one",
                         r->vendor, r->case_id, other);
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    shape_save_text(&result_shape, r, &text);
    struct arena *a = &cli->arena;
    int code = import_write(cli, arena_printf(a, "%s/%s/%s.json", out, r->vendor, r->case_id),
                            (struct bytes){text.data, text.len});
    buf_release(&text);
    return code;
}

/* Nothing is kept of a page that is prose. Among the pages of a folder it is passed over. */
static int refuse_prose(struct cli *cli, const char *path, size_t diags_before)
{
    cli->diags.n = diags_before;
    if (cli->opt.recursive) {
        cli_note(cli,
                 "%s: skipped, because the page has no heading of the benchmark and no table "
                 "of figures",
                 path);
        return EXIT_AGREED;
    }
    return cli_error(
        cli, ERR_INPUT,
        "%s: found neither a heading of the benchmark (\"环境配置\", \"性能指标\") nor a table "
        "of figures (tokens/s, MFU, measured and nominal values), expected a result page",
        path);
}

static int import_page_at(struct cli *cli, const char *path, struct bytes page)
{
    const char *vendor, *case_id;
    struct result r;
    size_t diags_before = cli->diags.n;
    int code = name_page(cli, path, &cli->arena, &vendor, &case_id);
    if (code)
        return code;
    code = import_page_in_worker(page, path, vendor, case_id, true, &cli->arena, &r, &cli->diags);
    if (code == 0 && import_is_prose(&r, page.data, page.len, &cli->arena))
        return refuse_prose(cli, path, diags_before);
    int found = cli_diags(cli);
    return code < 0 ? found : exit_worse(found, save_imported(cli, &r));
}

/* ---- archives ---------------------------------------------------------------------------- */

#define SEALED_ENDING ".tar.zst"

/* Where the submission goes: -o, or beside nobody else's: the folder that one is in. */
static const char *target_of(struct cli *cli, const char *path)
{
    const char *out = cli->opt.out ? cli->opt.out : ".";
    if (text_ends(out, SEALED_ENDING))
        return out;
    const char *name =
        arena_printf(&cli->arena, "%s" SEALED_ENDING, received_stem(path, &cli->arena));
    return cli->opt.out ? path_join(&cli->arena, out, name) : name;
}

static void say_imported(struct cli *cli, const struct import_made *made)
{
    if (made->folder)
        cli_note(cli, "the folder %s/ around all files was removed from their names", made->folder);
    if (made->sealed)
        cli_note(cli, "%zu files, id %.16s…: this is the original submission, unchanged", made->n,
                 made->id);
    else
        cli_note(cli,
                 "sealed %zu files, id %.16s…, not signed: only the vendor can sign the run, by "
                 "'fpreport collect RUN --sign KEY' with the original folder",
                 made->n, made->id);
}

static int import_archive(struct cli *cli, const char *path, enum received_form form,
                          struct bytes bytes)
{
    struct received in = {.bytes = bytes, .path = path, .form = form};
    struct import_made made;
    if (cli->opt.vendor || cli->opt.case_id)
        return cli_usage(
            cli, "%s: this file is a zip or tar.gz; --vendor and --case are only for pages", path);
    if (cli->opt.out && strcmp(cli->opt.out, "-") == 0)
        return cli_usage(cli, "%s: this file is a zip or tar.gz; -o - is only for pages", path);
    hash_sha256(bytes.data, bytes.len, in.sha256);
    int code = import_received(cli, &in, &made);
    if (code)
        return code;
    const char *target = target_of(cli, path);
    code = import_write(cli, target, made.packed);
    if (code)
        return code;
    if (cli->opt.dry_run)
        return 0;
    buf_printf(&cli->out, "%s\n", target);
    say_imported(cli, &made);
    cli_note(cli, "next: 'fpreport verify %s', 'fpreport archive add %s'", target, target);
    return 0;
}

/* Taken for a page, they would be asked for a vendor and a case. */
static const char *other_archive(struct bytes bytes)
{
    static const struct {
        size_t at;
        const char *begins, *word;
    } others[] = {{257, "ustar", "a tar that is not packed"},
                  {0, "BZh9", "bzip2"},
                  {0,
                   "\xfd"
                   "7zXZ",
                   "xz"},
                  {0, "7z\xbc\xaf", "7z"},
                  {0, "Rar!", "rar"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t len = strlen(others[i].begins);
        if (bytes.len >= others[i].at + len &&
            memcmp((const char *)bytes.data + others[i].at, others[i].begins, len) == 0)
            return others[i].word;
    }
    return NULL;
}

/* What it is called must be what it is. */
static int check_received_name(struct cli *cli, const char *path, enum received_form form,
                               struct bytes bytes)
{
    static const char zstd[] = "\x28\xb5\x2f\xfd";
    enum received_form named = received_by_name(path);
    struct err err = ERR_INIT;
    const char *found = form ? received_word(form) : "neither zip nor gzip";
    if (bytes.len >= 4 && memcmp(bytes.data, zstd, 4) == 0)
        err_set(&err, ERR_INPUT,
                "%s: found zstd, expected a page, zip or tar.gz: 'fpreport verify' and 'fpreport "
                "archive add' accept a submission without import",
                path);
    else if (!named && other_archive(bytes))
        err_set(&err, ERR_INPUT, "%s: found %s, expected a page, zip or tar.gz", path,
                other_archive(bytes));
    else if (named && form != named)
        err_set(&err, ERR_INPUT, "%s: found %s, expected %s, as its name says", path, found,
                received_word(named));
    else if (!named && form && text_ends(path, ".md"))
        err_set(&err, ERR_INPUT, "%s: found %s, expected a page, as its name says", path, found);
    else if (!form && bytes.len > IMPORT_PAGE_MAX)
        err_set(&err, ERR_INPUT, "%s: found a page of %zu bytes, expected at most %zu", path,
                bytes.len, IMPORT_PAGE_MAX);
    else
        return 0;
    return cli_fail(cli, &err);
}

static int import_one(struct cli *cli, const char *path)
{
    struct err err = ERR_INIT;
    struct bytes bytes;
    if (import_is_mlperf(path))
        return import_mlperf(cli, path);
    if (import_is_mlperf_table(path))
        return import_mlperf_table(cli, path);
    if (file_read(path, ARCHIVE_PACKED_MAX, &cli->arena, &bytes, &err) < 0)
        return cli_fail(cli, &err);
    enum received_form form = received_by_content(bytes);
    int code = check_received_name(cli, path, form, bytes);
    if (code)
        return code;
    return form ? import_archive(cli, path, form, bytes) : import_page_at(cli, path, bytes);
}

/* Is the page's result in the project now, and its vendor or case without a record there? */
static bool lacks_record(const struct cli *cli, const char *path)
{
    struct arena a = ARENA_INIT;
    const char *vendor = NULL, *case_id = NULL;
    import_path_ids(path, &a, &vendor, &case_id);
    vendor = cli->opt.vendor ? cli->opt.vendor : vendor;
    case_id = cli->opt.case_id ? cli->opt.case_id : case_id;
    bool lacks = vendor && case_id &&
                 file_exists(arena_printf(&a, DEFAULT_OUT "/%s/%s.json", vendor, case_id)) &&
                 (!file_exists(arena_printf(&a, "records/vendors/%s.json", vendor)) ||
                  !file_exists(arena_printf(&a, "records/cases/%s.json", case_id)));
    arena_release(&a);
    return lacks;
}

/* Is it the English one of two pages of a result? A record is made of the other. */
static bool is_second_page(const char *path, struct arena *arena)
{
    struct dir_entry *beside;
    struct err ignored = ERR_INIT; /* then both are read, and the second is refused */
    size_t n;
    const char *folder = arena_strndup(arena, path, (size_t)(path_base(path) - path));
    if (strcasecmp(path_base(path), "README.en.md") != 0 ||
        dir_list(folder, arena, &beside, &n, &ignored) < 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(beside[i].name, "README.md") == 0)
            return true;
    return false;
}

/* --recursive: every page below the folder whose path names its vendor and case, one a folder. */
static int import_below(struct cli *cli, const char *folder, size_t *unknown)
{
    const char **files, *vendor, *case_id;
    size_t n, pages = 0;
    struct err err = ERR_INIT;
    int code = EXIT_AGREED;
    if (!file_is_dir(folder))
        return cli_usage(cli, "--recursive: found no folder %s", folder);
    if (dir_walk(folder, &cli->arena, &files, &n, &err) < 0)
        return cli_fail(cli, &err);
    for (size_t i = 0; i < n; i++) {
        const char *path = path_join(&cli->arena, folder, files[i]);
        if (!import_path_ids(path, &cli->arena, &vendor, &case_id)) {
            cli_detail(cli, "%s: passed over: no <vendor>/<case>/README.md", path);
            continue;
        }
        if (is_second_page(path, &cli->arena)) {
            cli_detail(cli, "%s: passed over: README.md is beside it", path);
            continue;
        }
        code = exit_worse(code, import_one(cli, path));
        *unknown += lacks_record(cli, path);
        pages++;
    }
    if (!pages)
        return cli_usage(cli, "%s: found no page below it, expected <vendor>/<case>/README.md",
                         folder);
    cli_note(cli, "%s of %s below %s", text_count(&cli->arena, pages, "page", "pages"),
             text_count(&cli->arena, n, "file", "files"), folder);
    return code;
}

static int check_import(struct cli *cli)
{
    const char *out = cli->opt.out ? cli->opt.out : "";
    bool many = cli->n_args > 1 || cli->opt.recursive;
    if (!cli->n_args && !cli->opt.recursive)
        return cli_usage(cli, "import needs FILE… or -r DIR; see `fpreport import --help`");
    if (many && (cli->opt.case_id || !strcmp(out, "-") || text_ends(out, SEALED_ENDING)))
        return cli_usage(cli, "--case, -o - and -o FILE.tar.zst work only with a single file");
    if (cli->opt.recursive && cli->opt.vendor)
        return cli_usage(cli, "--vendor is only for single files; --recursive takes the vendor "
                              "from the path of each page");
    return EXIT_AGREED;
}

static int run_import(struct cli *cli)
{
    int code = check_import(cli);
    if (code)
        return code;
    /* Runs that somebody packed become submissions, which need no records. */
    bool only_runs = cli->n_args > 0;
    for (int i = 0; i < cli->n_args; i++)
        only_runs = only_runs && received_by_name(cli->args[i]);
    if (!cli->opt.out && !only_runs && cli_need_project(cli))
        return EXIT_USAGE;
    if (cli_sandbox(cli))
        return EXIT_IO;
    size_t unknown = 0;
    for (int i = 0; i < cli->n_args; i++) {
        code = exit_worse(code, import_one(cli, cli->args[i]));
        unknown += lacks_record(cli, cli->args[i]);
    }
    if (cli->opt.recursive)
        code = exit_worse(code, import_below(cli, cli->opt.recursive, &unknown));
    if (!cli->opt.out && unknown)
        cli_note(cli,
                 "%zu of the results name a vendor or a case without a record: 'fpreport new "
                 "records' makes these records, so that more rules, such as MFU, can be checked",
                 unknown);
    return code;
}

const struct command command_import = {
    .name = "import",
    .summary = "make records from pages or MLPerf packages, or a submission from a zip",
    .arguments = "FILE… | -r DIR",
    .examples = "  fpreport import training/nvidia/llama2_7b-deepspeed/README.md\n"
                "  fpreport import -r training --dry-run         what would be written\n"
                "  fpreport import --vendor acme --case llama2_7b -o - page.md\n"
                "  fpreport import run20261120190000.zip -o evidence.tar.zst\n",
    .details = "From a page, import makes the record DIR/<vendor>/<case>.json. import keeps text\n"
               "that it does not understand, and warns with the line number. A page that crashes\n"
               "the Markdown parser is kept as plain text. Tables of other frameworks (tokens/s,\n"
               "MFU) keep their columns. From a page without tables, import makes no record.\n"
               "\n"
               "From the zip or tar.gz of a run, import makes a submission, NAME.tar.zst.\n"
               "imported-from.json in this submission has the SHA-256 of the zip or tar.gz. Only\n"
               "the vendor can sign the submission. A sealed run in the zip or tar.gz keeps its\n"
               "bytes and signature.\n"
               "\n"
               "From MLPerf Training packages, import makes records of the round and of each\n"
               "system in records/mlperf (or the folder of -o). --seal also seals the logs,\n"
               "below evidence/ of that folder; the site publishes these logs and recomputes the\n"
               "scores. From the result table of a round (.csv), import makes records with\n"
               "stated minutes; --force with a package adds its logs.\n",
    .options = (const enum option_id[]){OPTION_OUT, OPTION_VENDOR, OPTION_CASE, OPTION_RECURSIVE,
                                        OPTION_DRY_RUN, OPTION_FORCE, OPTION_RULESET, OPTION_SEAL,
                                        OPTION_RECORDS, OPTION_REQUIRE_LANDLOCK, OPTION_END},
    .out_meaning = "folder (" DEFAULT_OUT ") or .tar.zst; - prints",
    .max_arguments = -1,
    .run = run_import,
};
