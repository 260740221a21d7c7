#include "cli/verify/verify_bundle.h"

#include "base/files/file.h"
#include "base/pack.h"
#include "base/process/worker.h"
#include "base/records/handed_on.h"
#include "base/sealed/archive.h"
#include "cli/sign.h"
#include "verifier/checks/rules.h"
#include "verifier/claims/duplicates.h"
#include "verifier/proofs/runs.h"
#include "verifier/verify.h"

#include <string.h>

/* A bundle on its way through the worker. */
struct unbundling {
    const char *path;
    struct bytes packed;
    struct arena *arena;
    struct diags *diags;
    struct tar_member *members;
    size_t n;
    bool taken;
};

/* ---- in the worker ------------------------------------------------------------------------ */

static int open_in_worker(const struct unbundling *x, struct arena *arena,
                          struct archive_contents *out, struct diags *diags)
{
    struct err err = ERR_INIT;
    struct bundle b;
    int rc = archive_untar(x->packed, x->path, ARCHIVE_PACKED_MAX, arena, out, &err);
    if (rc == 0)
        rc = tar_check_names(out->members, out->n, x->path, &err);
    if (rc == 0)
        return bundle_open(x->path, out->members, out->n, arena, &b, diags);
    diags_add_err(diags, x->path, 0, 0, &err);
    return -1;
}

static void answer_with_members(void *context, size_t i, struct worker *w)
{
    const struct unbundling *x = context;
    struct archive_contents contents = {.n = 0};
    struct diags diags;
    (void)i;
    diags_init(&diags, &w->arena);
    bool good = open_in_worker(x, &w->arena, &contents, &diags) == 0;
    shape_pack_text(&diags_shape, &diags, &w->answer);
    pack_number(&w->answer, good ? contents.n : 0);
    for (size_t k = 0; good && k < contents.n; k++) {
        pack_text(&w->answer, contents.members[k].name);
        pack_number(&w->answer, contents.members[k].bytes.len);
        pack_bytes(&w->answer, contents.members[k].bytes.data, contents.members[k].bytes.len);
    }
}

/* ---- here --------------------------------------------------------------------------------- */

static bool take_member(struct unbundling *x, struct unpack *u)
{
    const char *name = unpack_text(u);
    size_t len = unpack_count(u, 1);
    const char *bytes = unpack_bytes(u, len);
    if (u->bad || !name)
        return false;
    *(struct tar_member *)ARENA_PUSH(x->arena, x->members, x->n) = (struct tar_member){
        arena_strdup(x->arena, name), {arena_strndup(x->arena, bytes ? bytes : "", len), len}};
    return true;
}

/* What a worker that was taken over answers can be no name that a worker that was not lets by. */
static bool take_bundled(struct unbundling *x, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    struct err ignored = ERR_INIT;
    struct diags diags;
    shape_unpack_text(&diags_shape, &diags, x->arena, &u);
    size_t n = unpack_choice(&u, ARCHIVE_ENTRIES_MAX);
    bool good = !u.bad;
    for (size_t i = 0; i < n && good; i++)
        good = take_member(x, &u);
    good = good && unpack_end(&u) && (n || diags.errors) &&
           tar_check_names(x->members, x->n, x->path, &ignored) == 0;
    if (good)
        diags_append(x->diags, &diags);
    return good;
}

static bool take_bundle(void *context, size_t i, const struct worker_end *end)
{
    struct unbundling *x = context;
    struct err err = ERR_INIT;
    (void)i;
    x->taken = end->outcome == WORKER_ANSWERED && take_bundled(x, end->answer);
    if (x->taken)
        return false;
    worker_fault(end, x->path, &err);
    diags_add_err(x->diags, x->path, 0, 0, &err);
    return false;
}

int cli_bundle_open(struct cli *cli, const char *path, struct bundle **out)
{
    struct unbundling x = {.path = path, .arena = &cli->arena, .diags = &cli->diags};
    struct err err = ERR_INIT;
    struct bundle *b = *out = arena_alloc(&cli->arena, sizeof *b);
    if (file_read(path, ARCHIVE_PACKED_MAX, &cli->arena, &x.packed, &err) < 0) {
        diags_add_err(&cli->diags, path, 0, 0, &err);
        return err.kind;
    }
    const struct worker_crew crew = {
        .context = &x, .packed = x.packed.len, .work = answer_with_members, .take = take_bundle};
    worker_each(&crew, 1);
    struct diags again; /* the worker's are kept */
    diags_init(&again, &cli->arena);
    if (!x.taken || !x.n || bundle_open(path, x.members, x.n, &cli->arena, b, &again) < 0)
        return cli->diags.machine ? EXIT_IO : EXIT_INPUT;
    int code = cli->opt.signers ? cli_signers(cli, &b->project) : EXIT_AGREED;
    if (code == EXIT_AGREED && runs_find(&b->project, &err) < 0) {
        diags_add_err(&cli->diags, path, 0, 0, &err);
        return err.kind;
    }
    return code;
}

void cli_bundle_verify(struct cli *cli, struct bundle *b, const struct rules *rules,
                       struct verdict *out)
{
    duplicates_index(&b->project);
    verify_result(&b->project, rules, b->result, NULL, &cli->arena, out);
}

static void say_what_is_not_there(const struct cli *cli, const struct bundle *b)
{
    const struct bundle_about *x = &b->about;
    for (size_t i = 0; i < x->n_withheld; i++)
        cli_note(cli, "files of %s are withheld: figures from these files cannot be checked again",
                 x->withheld[i]);
    for (size_t i = 0; i < x->n_left_out; i++)
        cli_note(cli, "%s is not in the bundle, because the bundle would be too large",
                 x->left_out[i]);
    if (x->peers)
        cli_note(cli, "%lld other results of the case are not in the bundle", x->peers);
}

/* A verdict by another peak or another model is not that of this program, whatever the page says.
 * `installed` NULL: there is none of this id. */
static size_t say_other_record(const struct cli *cli, const struct shape *shape, const char *id,
                               const void *bundled, const void *installed, struct arena *arena)
{
    const char *diff = installed ? shape_diff(shape, bundled, installed, arena) : NULL;
    if (installed && !diff)
        return 0;
    if (installed)
        cli_note(cli, "%s %s of the bundle differs from the installed one: %s", shape->name, id,
                 diff);
    else
        cli_note(cli, "%s %s is only in the bundle; none is installed", shape->name, id);
    return 1;
}

static const struct accelerator *installed_card(const struct project *p, const char *id)
{
    for (size_t i = 0; i < p->n_accelerators; i++)
        if (strcmp(p->accelerators[i].id, id) == 0)
            return &p->accelerators[i];
    return NULL;
}

static size_t say_other_records(struct cli *cli, const struct project *p)
{
    struct project known;
    struct diags ignored; /* whoever uses installed records says what is wrong with them */
    size_t n = 0;
    diags_init(&ignored, &cli->arena);
    project_load_known_things(path_join(&cli->arena, cli_datadir(cli), "records"), &known,
                              &cli->arena, &ignored);
    for (size_t i = 0; i < p->n_accelerators; i++)
        n += say_other_record(cli, &accelerator_shape, p->accelerators[i].id, &p->accelerators[i],
                              installed_card(&known, p->accelerators[i].id), &cli->arena);
    for (size_t i = 0; i < p->n_models; i++)
        n += say_other_record(cli, &model_shape_shape, p->models[i].id, &p->models[i],
                              project_model(&known, p->models[i].id), &cli->arena);
    for (size_t i = 0; i < p->n_cases; i++)
        n += say_other_record(cli, &case_shape, p->cases[i].id, &p->cases[i],
                              project_case(&known, p->cases[i].id), &cli->arena);
    return n;
}

int cli_bundle_compare(struct cli *cli, const struct bundle *b, const struct verdict *v)
{
    const struct bundle_about *x = &b->about;
    struct err err = ERR_INIT;
    int code = EXIT_AGREED;
    const char *rules = rules_version(NULL);
    if (strcmp(x->tool, FPREPORT_VERSION) != 0 || strcmp(x->rules, rules) != 0)
        cli_note(cli,
                 "the page was made by fpreport %s, rule set %s; this verdict by fpreport %s, rule "
                 "set %s",
                 x->tool, x->rules, FPREPORT_VERSION, rules);
    size_t others = say_other_records(cli, &b->project);
    if (v->state == x->state) {
        cli_note(cli,
                 others ? "%s: %s, as its result page says, but with records that differ from the "
                          "installed records"
                        : "%s: %s, as its result page says",
                 x->result, state_name(x->state));
    } else {
        err_set(&err, ERR_CHECK,
                "%s: found %s, but its result page says %s (fpreport %s, rule set "
                "%s)",
                x->result, state_name(v->state), state_name(x->state), x->tool, x->rules);
        code = cli_fail(cli, &err);
    }
    say_what_is_not_there(cli, b);
    return code;
}
