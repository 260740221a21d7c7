#include "cli/shards/kept_verdicts.h"

#include "base/json/shape_pack.h"
#include "base/project/shard.h"
#include "cli/shards/verify_shard.h"
#include "verifier/checks/rules.h"
#include "verifier/claims/audit.h"
#include "verifier/claims/duplicates.h"
#include "verifier/shard_merge.h"
#include "verifier/verdicts/shape.h"

#include <string.h>

static int is_of_records(struct cli *cli, const struct shard_set *set, struct err *err)
{
    const struct shard_head *head = &set->docs[0].head;
    struct shard s = {.of = (unsigned)head->of};
    char(*own)[HASH_HEX_SIZE] = arena_array(&cli->arena, set->n, sizeof *own);
    const struct {
        const char *what, *found, *expected;
    } same[] = {{"tool", head->tool, FPREPORT_VERSION},
                {"rules", head->rules, RULES_CURRENT},
                {"only the rules", head->only ? head->only : "all", "all"},
                {"options", head->settings, cli_shard_settings(cli)}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strcmp(same[i].found, same[i].expected) != 0)
            return err_set(err, ERR_USAGE, "%s: found %s %s, expected %s: verify it again",
                           set->docs[0].path, same[i].what, same[i].found, same[i].expected);
    if (shard_list_each(&s, cli_records(cli), own, &cli->arena, err) < 0)
        return -1;
    for (size_t i = 0; i < set->n; i++)
        if (strcmp(set->docs[i].head.list, s.list) != 0 ||
            strcmp(set->docs[i].head.own, own[i]) != 0)
            return err_set(err, ERR_USAGE,
                           "%s: the records have changed since this file was written: verify shard "
                           "%zu of %zu again",
                           set->docs[i].path, i, set->n);
    return 0;
}

/* What the answer has to be about; the sums are those that the shard saw. */
static size_t list_known(const struct project *p, const struct verdict *v, struct arena *arena,
                         struct verdict_evidence **out)
{
    const struct result *r = v->result;
    size_t n = r->n_evidence < AUDIT_EVIDENCE_MAX ? r->n_evidence : AUDIT_EVIDENCE_MAX;
    *out = arena_array(arena, n, sizeof **out);
    for (size_t i = 0; i < n; i++)
        (*out)[i] =
            (struct verdict_evidence){.archive = r->evidence[i].archive,
                                      .sha256 = i < v->n_evidence ? v->evidence[i].sha256 : NULL,
                                      .kase = project_case(p, r->case_id),
                                      .table = (int)r->evidence[i].table,
                                      .row = (int)r->evidence[i].row};
    return n;
}

static bool take_kept_verdict(struct cli *cli, const struct project *p, struct bytes packed,
                              struct verdict *verdicts)
{
    struct unpack u = unpack_answer(packed.data, packed.len);
    struct verdict v;
    struct verdict_evidence *known;
    shape_unpack(&verdict_shape, &v, &cli->arena, &u);
    if (!unpack_end(&u) || !v.id || v.machine)
        return false;
    v.result = project_result_by_name(p, v.id, &cli->arena);
    if (!v.result)
        return false;
    v.file = v.result->file;
    size_t n = list_known(p, &v, &cli->arena, &known);
    if (!verdict_take(&v, p, known, n))
        return false;
    verdict_read_metrics(&v, &cli->arena);
    across_resolve(p, &v, &cli->arena);
    verdicts[v.result - p->results] = v;
    return true;
}

static int take_shard_verdicts(struct cli *cli, const struct shard_doc *d, const struct project *p,
                               struct verdict *verdicts, struct err *err)
{
    struct arena own = ARENA_INIT;
    struct bytes text = {NULL, 0};
    char hex[HASH_HEX_SIZE] = "";
    const char *path = arena_printf(&own, "%s" SHARD_KEPT_SUFFIX, d->path);
    int rc = file_read(path, SHARD_DOC_MAX, &own, &text, err);
    if (rc == 0)
        hash_sha256(text.data, text.len, hex);
    bool good = rc == 0 && d->end.kept && strcmp(d->end.kept, hex) == 0;
    struct unpack all = {.at = text.data, .end = text.data + text.len};
    while (good && all.at < all.end) {
        size_t n = unpack_count(&all, 1);
        const char *packed = unpack_bytes(&all, n);
        good = packed && take_kept_verdict(cli, p, (struct bytes){packed, n}, verdicts);
    }
    if (rc == 0 && !good)
        rc = err_set(err, ERR_USAGE,
                     "%s: found other verdicts than %s names, expected those of the records: "
                     "verify shard %d of %d again",
                     path, d->path, d->head.number, d->head.of);
    else if (rc < 0 && err->kind == ERR_INPUT)
        err->kind = ERR_USAGE;
    arena_release(&own);
    return rc;
}

int cli_take_verdicts(struct cli *cli, const char *folder, struct project *p,
                      struct verdict *verdicts)
{
    struct err err = ERR_INIT;
    struct shard_set set;
    if (shard_set_open(folder, &cli->arena, &set, &err) < 0 || is_of_records(cli, &set, &err) < 0)
        return cli_fail(cli, &err);
    duplicates_index(p);
    for (size_t i = 0; i < set.n; i++)
        if (take_shard_verdicts(cli, &set.docs[i], p, verdicts, &err) < 0)
            return cli_fail(cli, &err);
    for (size_t i = 0; i < p->n_results; i++)
        if (!verdicts[i].id)
            return cli_usage(cli, "%s: found no verdict of %s/%s, expected one of each result",
                             folder, p->results[i].vendor, p->results[i].case_id);
    return EXIT_AGREED;
}
