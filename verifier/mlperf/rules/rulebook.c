#include "verifier/mlperf/rules/rulebook.h"

#include "base/files/dir.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>

#define PREFIX "training_"
#define RULES_BYTES_MAX ((size_t)4 << 20)

static long version_part(const char **at)
{
    char *end;
    long n = strtol(*at, &end, 10);
    *at = *end == '.' ? end + 1 : end;
    return n;
}

static int by_version(const void *a, const void *b)
{
    const char *x = ((const struct mlperf_round_rules *)a)->version;
    const char *y = ((const struct mlperf_round_rules *)b)->version;
    for (int i = 0; i < 3; i++) {
        long m = version_part(&x), n = version_part(&y);
        if (m != n)
            return m < n ? -1 : 1;
    }
    return 0;
}

int mlperf_rulebook_open(const char *folder, struct arena *arena, struct mlperf_rulebook *out,
                         struct err *err)
{
    const char *rules = path_join(arena, folder, "rules");
    struct dir_entry *entries;
    size_t n;
    *out = (struct mlperf_rulebook){.folder = folder, .arena = arena};
    if (dir_list(rules, arena, &entries, &n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *name = entries[i].name;
        if (!text_starts(name, PREFIX) || !text_ends(name, ".json"))
            continue;
        name += strlen(PREFIX);
        struct mlperf_round_rules *round = ARENA_PUSH(arena, out->rounds, out->n_rounds);
        round->version = arena_strndup(arena, name, strlen(name) - strlen(".json"));
    }
    if (!out->n_rounds)
        return err_set(err, ERR_INPUT, "%s: found no rule files " PREFIX "X.Y.Z.json", rules);
    qsort(out->rounds, out->n_rounds, sizeof *out->rounds, by_version);
    return 0;
}

/* Does the text name this version at `at`, as v5.1? */
static bool is_named_at(const char *at, const char *version)
{
    size_t n = strlen(version);
    if (text_ends(version, ".0"))
        n -= 2;
    return *at == 'v' && strncmp(at + 1, version, n) == 0 && !isdigit((unsigned char)at[n + 1]);
}

static struct mlperf_round_rules *named_in(struct mlperf_rulebook *book, const char *path)
{
    for (const char *at = strchr(path, 'v'); at; at = strchr(at + 1, 'v'))
        for (size_t i = 0; (at == path || !isalnum((unsigned char)at[-1])) && i < book->n_rounds;
             i++)
            if (is_named_at(at, book->rounds[i].version))
                return &book->rounds[i];
    return NULL;
}

struct mlperf_round_rules *mlperf_rulebook_choose(struct mlperf_rulebook *book, const char *wanted,
                                                  const char *path, enum mlperf_chosen *how)
{
    *how = CHOSEN_BY_OPTION;
    for (size_t i = 0; wanted && i < book->n_rounds; i++)
        if (strcmp(book->rounds[i].version, wanted) == 0)
            return &book->rounds[i];
    if (wanted)
        return NULL;
    char *real = file_real(path);
    struct mlperf_round_rules *named = named_in(book, path);
    if (!named && real)
        named = named_in(book, real);
    free(real);
    *how = named ? CHOSEN_BY_PATH : CHOSEN_AS_NEWEST;
    return named ? named : &book->rounds[book->n_rounds - 1];
}

const char *mlperf_rulebook_versions(const struct mlperf_rulebook *book)
{
    const char *text = "";
    for (size_t i = 0; i < book->n_rounds; i++)
        text = arena_printf(book->arena, "%s%s%s", text, i ? ", " : "", book->rounds[i].version);
    return text;
}

const struct mlperf_ruleset *mlperf_rulebook_rules(struct mlperf_rulebook *book,
                                                   struct mlperf_round_rules *round,
                                                   struct diags *diags)
{
    struct err err = ERR_INIT;
    struct bytes bytes;
    struct mlperf_ruleset *rules = arena_alloc(book->arena, sizeof *rules);
    const char *file =
        arena_printf(book->arena, "%s/rules/" PREFIX "%s.json", book->folder, round->version);
    if (round->rules)
        return round->rules;
    if (file_read(file, RULES_BYTES_MAX, book->arena, &bytes, &err) < 0) {
        diags_add_err(diags, file, 0, 0, &err);
        return NULL;
    }
    if (mlperf_ruleset_compile(file, bytes, book->arena, rules, diags) == 0)
        round->rules = rules;
    return round->rules;
}

const char *mlperf_rulebook_round_of(struct mlperf_rulebook *book, const char *benchmark,
                                     struct diags *diags)
{
    for (size_t i = book->n_rounds; benchmark && i > 0; i--) {
        const struct mlperf_ruleset *rules =
            mlperf_rulebook_rules(book, &book->rounds[i - 1], diags);
        if (rules && mlperf_ruleset_benchmark(rules, benchmark))
            return book->rounds[i - 1].version;
    }
    return NULL;
}
