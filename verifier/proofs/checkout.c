#include "verifier/proofs/checkout.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

/* "…/training/<vendor>/<case>" of the page itself; NULL when it lies elsewhere. */
static const char *own_folder(const struct audit *a)
{
    const struct result *r = a->result;
    const char *end = arena_printf(a->arena, "training/%s/%s/%s", r->vendor, r->case_id,
                                   r->file ? path_base(r->file) : "");
    if (!r->file || !text_ends(r->file, end))
        return NULL;
    return arena_strndup(a->arena, r->file, strlen(r->file) - strlen(path_base(r->file)) - 1);
}

/* A folder or a file of a checkout that this machine cannot read: what it says is not known. */
static void note_trouble(const struct audit *a, const struct err *err)
{
    if (err->kind == ERR_IO && !a->verdict->machine)
        a->verdict->machine = arena_strdup(a->arena, err->text);
}

static bool list_checkout(const struct audit *a, struct checkout *out)
{
    struct dir_entry *entries;
    struct err err = ERR_INIT;
    size_t n;
    const char *folder = a->project->flagperf
                             ? arena_printf(a->arena, "%s/training/%s/%s", a->project->flagperf,
                                            a->result->vendor, a->result->case_id)
                             : own_folder(a);
    *out = (struct checkout){.folder = folder ? path_join(a->arena, folder, "config") : NULL};
    if (!folder || file_is_folder(out->folder, &err) <= 0 ||
        dir_list(out->folder, a->arena, &entries, &n, &err) < 0) {
        note_trouble(a, &err);
        return false;
    }
    for (size_t i = 0; i < n && out->n_files < CHECKOUT_FILES_MAX; i++)
        if (entries[i].is_regular)
            *(const char **)ARENA_PUSH(a->arena, out->files, out->n_files) = entries[i].name;
    return true;
}

const struct checkout *checkout_keep(const struct audit *a)
{
    struct checkout *c = arena_alloc(a->arena, sizeof *c);
    if (!list_checkout(a, c))
        return NULL;
    c->texts = arena_array(a->arena, c->n_files, sizeof *c->texts);
    for (size_t i = 0; i < c->n_files; i++) {
        struct err err = ERR_INIT;
        if (file_read(path_join(a->arena, c->folder, c->files[i]), CHECKOUT_FILE_MAX, a->arena,
                      &c->texts[i], &err) < 0)
            c->texts[i] = (struct bytes){NULL, 0};
        note_trouble(a, &err);
    }
    return c;
}

bool checkout_open(const struct audit *a, struct checkout *out)
{
    const struct checkout *c = a->read_ahead ? a->checkout : checkout_keep(a);
    *out = c ? *c : (struct checkout){.folder = NULL};
    return c != NULL;
}

/* The contents of a file of the folder; false when there are none. */
static bool read_checkout_text(const struct checkout *c, const char *file, struct bytes *out)
{
    *out = (struct bytes){NULL, 0};
    for (size_t i = 0; i < c->n_files; i++)
        if (strcmp(c->files[i], file) == 0)
            *out = c->texts[i];
    return out->data != NULL;
}

static bool has_exactly(const struct checkout *c, const char *file)
{
    for (size_t i = 0; i < c->n_files; i++)
        if (strcmp(c->files[i], file) == 0)
            return true;
    return false;
}

bool checkout_has(const struct checkout *c, const char *file, struct arena *arena)
{
    return has_exactly(c, file) || has_exactly(c, arena_printf(arena, "%s.py", file));
}

const char *checkout_of_size(const struct checkout *c, long nodes, long cards, long ranks,
                             struct arena *arena)
{
    const char *hit = NULL;
    for (size_t i = 0; i < c->n_files; i++) {
        struct config_name name;
        if (!text_ends(c->files[i], ".py") || !config_name_parse(c->files[i], arena, &name) ||
            name.nodes != nodes || (name.cards != cards && name.cards != cards * ranks))
            continue;
        if (hit)
            return NULL;
        hit = c->files[i];
    }
    return hit;
}

/* What configurations call a batch size; ds_config.json has some of these names, too. */
static const struct config_key {
    const char *symbol, *names[7]; /* the best first, until NULL */
} config_keys[] = {
    {"LBS",
     {"batchsize", "localbs", "local_batchsize", "micro_batchsize", "batch_size_training",
      "per_device_train_batch_size"}},
    {"MPE", {"seqlength", "seq_length", "max_seq_length"}},
    {"GAS", {"accumulate_steps", "gradient_accumulation_steps", "gradient_accumulate_steps"}},
    {"GBS", {"gbs", "globalbs", "global_batchsize", "global_batch_size"}},
    {"TP", {"tensor_parallel", "tensor_parallel_degree"}},
    {"PP", {"pipeline_parallel", "pipeline_parallel_degree"}},
};

/* number (* number)*, then the end or a comment; NaN for everything else. */
static double read_symbol_product(const char *s)
{
    double product = 1, factor;
    int decimals;
    for (;; s++) {
        s += strspn(s, " \t");
        size_t n = figure_scan_number(s, &factor, &decimals);
        if (!n)
            return NAN;
        product *= factor;
        s += n + strspn(s + n, " \t");
        if (*s != '*')
            break;
    }
    return *s == '\0' || *s == '#' ? product : NAN;
}

/* The value that a line "name = …" or "name: type = …" gives to this name, as text; NULL. */
static const char *assigned(const char *line, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(line, name, n) != 0)
        return NULL;
    const char *s = line + n + strspn(line + n, " \t");
    if (*s == ':') {
        s += 1 + strspn(s + 1, " \t");
        while (isalnum((unsigned char)*s) || *s == '_' || *s == '.')
            s++;
        s += strspn(s, " \t");
    }
    return *s == '=' && s[1] != '=' ? s + 1 : NULL;
}

static char **read_checkout_lines(const struct checkout *c, const char *file, struct arena *arena,
                                  size_t *n)
{
    struct bytes text;
    *n = 0;
    if (!read_checkout_text(c, file, &text) || memchr(text.data, '\0', text.len))
        return NULL;
    return text_lines(arena, text.data, n);
}

/* Does a triple quote begin or end on this line? Between two of them nothing is assigned. */
static bool toggles_string(const char *line)
{
    bool toggles = false;
    for (const char *s = line; *s; s++)
        if (strncmp(s, "\"\"\"", 3) == 0 || strncmp(s, "'''", 3) == 0) {
            toggles = !toggles;
            s += 2;
        }
    return toggles;
}

/* The last assignment counts; one that is no number makes the value unknown. What config_common.py
 * gives is read once, however often it is imported. */
static double read_python(const struct checkout *c, const char *file, const char *name,
                          struct arena *arena, bool imported)
{
    size_t n;
    char **lines = read_checkout_lines(c, file, arena, &n);
    double value = NAN, common = NAN;
    bool in_string = false, has_common = imported;
    for (size_t i = 0; i < n; i++) {
        bool imports = !imported && text_starts(lines[i], "from config_common import *");
        if (imports && !has_common)
            common = read_python(c, "config_common.py", name, arena, true);
        has_common |= imports;
        if (!in_string && imports)
            value = common;
        const char *text = in_string ? NULL : assigned(lines[i], name);
        if (text)
            value = read_symbol_product(text);
        in_string ^= toggles_string(lines[i]);
    }
    return value;
}

static double read_checkout_json(const struct checkout *c, const char *file, const char *name,
                                 struct arena *arena)
{
    struct diags ignored = DIAGS_INIT(arena);
    struct bytes text;
    struct json *root;
    if (!read_checkout_text(c, file, &text) || json_parse(file, text, arena, &root, &ignored) < 0)
        return NAN;
    const struct json *value = json_get(root, name);
    return value && value->kind == JSON_NUMBER ? value->number : NAN;
}

static double find_symbol_value(const struct checkout *c, const char *file, const char *symbol,
                                struct arena *arena, const char **name)
{
    bool json = text_ends(file, ".json");
    if (!json && !text_ends(file, ".py"))
        file = arena_printf(arena, "%s.py", file);
    for (size_t i = 0; i < sizeof config_keys / sizeof config_keys[0]; i++) {
        bool meant = strcmp(config_keys[i].symbol, symbol) == 0;
        for (const char *const *key = config_keys[i].names; meant && *key; key++) {
            *name = *key;
            double value = json ? read_checkout_json(c, file, *key, arena)
                                : read_python(c, file, *key, arena, false);
            if (!isnan(value))
                return value;
        }
    }
    return NAN;
}

double checkout_value(const struct checkout *c, const char *file, const char *symbol,
                      const char **name)
{
    struct arena files; /* what was read is not needed longer than this */
    arena_init(&files);
    double value = find_symbol_value(c, file, symbol, &files, name);
    arena_release(&files);
    return value;
}
