#include "collector/submission/adopted.h"

#include "base/foreign.h"
#include "base/json/json.h"
#include "base/records/facts.h"
#include "base/sealed/submission.h"

#include <string.h>

#define HOST "adopted" /* nobody says which machine it was */

struct adopting {
    const struct adopted_run *run;
    struct arena *arena;
    struct tar_member *members;
    size_t n;
};

static void adopt_bytes(struct adopting *a, const char *name, struct bytes bytes)
{
    *(struct tar_member *)ARENA_PUSH(a->arena, a->members, a->n) = (struct tar_member){name, bytes};
}

static int adopt_text(struct adopting *a, const char *name, struct buf *text, struct err *err)
{
    int rc = buf_check(text, name, err);
    adopt_bytes(a, name, (struct bytes){arena_strndup(a->arena, text->data, text->len), text->len});
    buf_release(text);
    return rc;
}

const char *adopted_name(const struct adopted_run *run, struct arena *arena)
{
    char hex[HASH_HEX_SIZE];
    struct buf sums = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = 0; i < run->n_files; i++) {
        hash_sha256(run->files[i].bytes.data, run->files[i].bytes.len, hex);
        buf_printf(&sums, "%s %s\n", hex, run->files[i].name);
    }
    hash_sha256(sums.data, sums.len, hex);
    buf_release(&sums);
    return arena_printf(arena, "adopted%.8s", hex);
}

static int adopt_run_json(struct adopting *a, const char *key, struct err *err)
{
    static const char *const unseen[] = {"exit_status", "signal",  "started",
                                         "finished",    "host",    "reason",
                                         "resumed",     "command", "initial_weights"};
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    struct json_writer w = JSON_WRITER_INIT(&out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.run/1");
    json_string(&w, "case", a->run->case_id);
    json_string(&w, "key", key);
    json_string(&w, "state", "complete");
    json_bool(&w, "adopted", true);
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        json_null(&w, unseen[i]);
    json_string(&w, "fpreport", FPREPORT_VERSION);
    json_string(&w, "accelerator", a->run->accelerator);
    layout_write(a->run->layout, "layout", &w);
    char hex[HASH_HEX_SIZE];
    json_begin_array(&w, "files");
    for (size_t i = 0; i < a->n; i++) {
        hash_sha256(a->members[i].bytes.data, a->members[i].bytes.len, hex);
        json_begin_object_flat(&w, NULL);
        json_string(&w, "path", a->members[i].name);
        json_string(&w, "sha256", hex);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
    return adopt_text(a, "run.json", &out, err);
}

static int adopt_fingerprint(struct adopting *a, const char *node, struct err *err)
{
    const char *name = arena_printf(a->arena, "%s/fingerprint.json", node);
    struct facts facts = {0};
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    if (a->run->fingerprint.data) {
        adopt_bytes(a, name, a->run->fingerprint);
        return 0;
    }
    for (size_t i = 0; i < FACT_KINDS; i++) {
        const struct fact unknown = {fact_kinds[i].key, NULL, "fpreport did not witness the run"};
        if (fact_is_unstable(fact_kinds[i].class))
            *(struct fact *)ARENA_PUSH(a->arena, facts.unstable, facts.n_unstable) = unknown;
        else
            *(struct fact *)ARENA_PUSH(a->arena, facts.items, facts.n) = unknown;
    }
    facts_write(&facts, &out);
    return adopt_text(a, name, &out, err);
}

static int adopt_files(struct adopting *a, const char *node, struct err *err)
{
    for (size_t i = 0; i < a->run->n_files; i++) {
        const struct adopted_file *f = &a->run->files[i];
        for (size_t k = 0; k < i; k++)
            if (strcmp(a->run->files[k].name, f->name) == 0)
                return err_set(err, ERR_USAGE, "found two files named '%s', expected each once",
                               foreign_name_shown(f->name, a->arena));
        adopt_bytes(a, arena_printf(a->arena, "%s/%s", node, f->name), f->bytes);
    }
    return 0;
}

int adopted_members(const struct adopted_run *run, struct arena *arena, struct tar_member **out,
                    size_t *n, struct err *err)
{
    struct adopting a = {.run = run, .arena = arena};
    /* As train names that of a command: one folder holds what all ranks print. */
    struct layout_source laid;
    layout_resolve(run->layout, 1, &laid);
    const char *key =
        arena_printf(arena, "%s:fpreport_" FPREPORT_VERSION ":host:1:%lld:1", run->case_id,
                     laid.size[LAYOUT_RANKS] ? laid.size[LAYOUT_RANKS] : 1);
    const char *node = arena_printf(arena, "%s/round1/" HOST "_noderank0", key);
    adopt_bytes(&a, "case.json", run->case_bytes);
    if (adopt_fingerprint(&a, node, err) < 0 || adopt_files(&a, node, err) < 0 ||
        adopt_run_json(&a, key, err) < 0)
        return -1;
    *out = a.members;
    *n = a.n;
    return tar_check_names(a.members, a.n, "the files", err);
}
