#include "cli/intake/inputs.h"

#include "base/files/file.h"
#include "base/project/bundle.h"
#include "base/sealed/archive.h"
#include "base/text.h"
#include "cli/archive/archive.h"
#include "cli/intake/import_worker.h"
#include "collector/page/import.h"
#include "verifier/claims/older_table.h"
#include "verifier/verify.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *suffix;
    enum input_kind kind;
} endings[] = {
    {".json", INPUT_RECORD},       {".md", INPUT_PAGE},      {".log", INPUT_LOOSE},
    {".log.txt", INPUT_LOOSE},     {".output", INPUT_LOOSE}, {".tar.zst", INPUT_SUBMISSION},
    {BUNDLE_ENDING, INPUT_BUNDLE},
};

static const struct {
    const char *begins;
    size_t n;
    enum input_kind kind;
} contents[] = {
    {BUNDLE_ABOUT "\0", sizeof BUNDLE_ABOUT, INPUT_BUNDLE},
    {"\x28\xB5\x2F\xFD", 4, INPUT_SUBMISSION},
    {"{", 1, INPUT_RECORD},
    {"#", 1, INPUT_PAGE},
    {"|", 1, INPUT_PAGE},
    {"---", 3, INPUT_PAGE},
};

bool input_claims(const struct result *r)
{
    return r->n_environments || r->general || r->n_performance || older_tables_any(r);
}

/* A page may quote lines of a log; a log has neither environment nor tables of figures. */
static bool is_log_of_steps(struct cli *cli, const char *path)
{
    struct err ignored = ERR_INIT;
    struct diags none = DIAGS_INIT(&cli->arena);
    struct bytes text;
    struct result r;
    if (!verify_is_log(path, &cli->arena))
        return false;
    return file_read(path, IMPORT_PAGE_MAX, &cli->arena, &text, &ignored) < 0 ||
           import_page_in_worker(text, path, "unnamed", "page", false, &cli->arena, &r, &none) <
               0 ||
           !input_claims(&r);
}

/* A record names its schema; other JSON may be a curve, as trainer_state.json is. */
static bool is_record(struct cli *cli, const char *path)
{
    struct err ignored = ERR_INIT;
    struct bytes text;
    if (file_read(path, ARCHIVE_PACKED_MAX, &cli->arena, &text, &ignored) < 0)
        return true;
    return memmem(text.data, text.len, "\"schema\"", sizeof "\"schema\"" - 1) ||
           !verify_is_log(path, &cli->arena);
}

enum input_kind input_by_name(struct cli *cli, const char *word)
{
    if (text_ends(word, ".json") && file_exists(word))
        return is_record(cli, word) ? INPUT_RECORD : INPUT_LOOSE;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (text_ends(word, endings[i].suffix))
            return endings[i].kind;
    if (!text_ends(word, ".txt"))
        return INPUT_UNKNOWN;
    return is_log_of_steps(cli, word) ? INPUT_LOOSE : INPUT_PAGE;
}

/* It may hold a log as it is. */
static bool is_bundle(struct cli *cli, const char *path)
{
    struct err ignored = ERR_INIT;
    struct bytes text;
    return file_read(path, ARCHIVE_PACKED_MAX, &cli->arena, &text, &ignored) == 0 &&
           bundle_begins(text);
}

enum input_kind input_by_content(struct cli *cli, const char *path)
{
    struct err ignored = ERR_INIT; /* whoever reads it in earnest says it */
    struct bytes text;
    if (file_is_dir(path) || (!is_bundle(cli, path) && is_log_of_steps(cli, path)))
        return INPUT_LOOSE;
    if (file_read(path, ARCHIVE_PACKED_MAX, &cli->arena, &text, &ignored) < 0)
        return INPUT_UNKNOWN;
    size_t blank = 0;
    while (blank < text.len && isspace((unsigned char)text.data[blank]))
        blank++;
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        if (text.len - blank >= contents[i].n &&
            memcmp(text.data + blank, contents[i].begins, contents[i].n) == 0)
            return contents[i].kind;
    return INPUT_UNKNOWN;
}

/* VENDOR/CASE has one '/' and may have dots in numbers ("qwen2.5"), but no ending. */
bool input_is_path(const char *word)
{
    const char *slash = strchr(word, '/'), *dot = strrchr(path_base(word), '.');
    if (file_exists(word) || *word == '/' || text_starts(word, "./") || text_starts(word, "../"))
        return true;
    return (slash && strchr(slash + 1, '/')) || (dot && isalpha((unsigned char)dot[1]));
}

int input_refuse(struct cli *cli, const char *word, const char *expected)
{
    struct err err = ERR_INIT;
    struct bytes ignored;
    if (strcmp(word, "-") == 0)
        return cli_usage(cli, "-: standard input is not read, expected %s", expected);
    if (!input_is_path(word) && cli_need_project(cli))
        return EXIT_USAGE;
    if (!input_is_path(word))
        return cli_usage(cli, "%s: found no such result, expected %s", word, expected);
    if (file_read(word, ARCHIVE_PACKED_MAX, &cli->arena, &ignored, &err) == 0)
        err_set(&err, ERR_INPUT, "%s: the kind of this file is unknown, expected %s", word,
                expected);
    return cli_fail(cli, &err);
}

int input_read_page(struct cli *cli, const char *path, const struct result **out)
{
    struct result *r = arena_alloc(&cli->arena, sizeof *r);
    struct err err = ERR_INIT;
    struct bytes page;
    const char *vendor, *case_id;
    *out = NULL;
    if (!import_path_ids(path, &cli->arena, &vendor, &case_id)) {
        vendor = "unnamed";
        /* A page that does not lie at <vendor>/<case>/README.md is named after its file. */
        char *name = arena_strdup(&cli->arena, path_base(path));
        char *dot = strrchr(name, '.');
        if (dot && dot != name)
            *dot = '\0';
        for (char *c = name; *c; c++)
            if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-", *c))
                *c = '-';
        case_id = shape_is_id(name) ? name : "page";
    }
    vendor = cli->opt.vendor ? cli->opt.vendor : vendor;
    case_id = cli->opt.case_id ? cli->opt.case_id : case_id;
    if (file_read(path, IMPORT_PAGE_MAX, &cli->arena, &page, &err) < 0) {
        diags_add_err(&cli->diags, path, 0, 0, &err);
        return err.kind;
    }
    if (import_page_in_worker(page, path, vendor, case_id, false, &cli->arena, r, &cli->diags) < 0)
        return EXIT_INPUT;
    r->file = path;
    *out = r;
    return EXIT_AGREED;
}

const char *input_records_of(struct cli *cli, const char *path, const char *otherwise)
{
    const char *folder = path_folder(&cli->arena, path),
               *results = path_folder(&cli->arena, folder);
    if (strcmp(path_base(results), "results") == 0)
        return path_folder(&cli->arena, results);
    return cli_has_project(cli) ? otherwise : folder;
}

int input_read_record(struct cli *cli, struct project *p, const char *path,
                      const struct result **out)
{
    struct result *r = arena_alloc(&cli->arena, sizeof *r);
    *out = NULL;
    if (shape_load_file(&result_shape, path, r, &cli->arena, &cli->diags) < 0)
        return EXIT_INPUT;
    r->file = path;
    int code = cli_archive_result(cli, p, r, input_records_of(cli, path, p->root));
    *out = code ? NULL : r;
    return code;
}
