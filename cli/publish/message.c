/* The message of the commit that publishes a site. */
#include "cli/publish/changes.h"

#include "base/foreign.h"

#define LISTED 100 /* results whose verdict changed */

static void put_source(const struct repo_info *source, struct buf *out)
{
    if (!source->commit) {
        buf_str(out, "Source: no commit yet\n");
        return;
    }
    buf_printf(out, "Source: %s%s%s%s%s\n", source->commit, source->branch ? " (" : "",
               source->branch ? source->branch : "", source->branch ? ")" : "",
               source->dirty ? ", with changes that are not committed" : "");
}

void publish_changed_run(const struct run_change *c, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    const struct doc_run *any = c->new ? c->new : c->old;
    buf_printf(out, "%s: ", foreign_line(&scratch, any->id, 200));
    if (!c->old)
        buf_printf(out, "new, %s", state_name(c->new->state));
    else if (!c->new)
        buf_printf(out, "gone, was %s", state_name(c->old->state));
    else if (c->old->state != c->new->state)
        buf_printf(out, "%s -> %s", state_name(c->old->state), state_name(c->new->state));
    else
        buf_printf(out, "%s as before", state_name(c->new->state));
    if (c->old && c->new) {
        const char *comma = ":";
        const struct {
            size_t n;
            const char *one, *many;
        } parts[] = {{c->n_rows, "row", "rows"},
                     {c->n_metrics, "figure", "figures"},
                     {c->n_findings, "finding", "findings"}};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            if (!parts[i].n)
                continue;
            buf_printf(out, "%s %zu %s", comma, parts[i].n,
                       parts[i].n == 1 ? parts[i].one : parts[i].many);
            comma = ",";
        }
    }
    buf_char(out, '\n');
    arena_release(&scratch);
}

void publish_message(const struct publish_changes *c, const struct publish_site *s,
                     const struct repo_info *source, struct buf *out)
{
    const struct verdict_diff *d = &c->diff;
    buf_printf(out, "Publish %zu result%s%s", c->new.n_runs, c->new.n_runs == 1 ? "" : "s",
               c->new.n_runs ? ": " : "");
    publish_states(&c->new, out);
    buf_str(out, "\n\n");
    put_source(source, out);
    buf_printf(out, "Tool: fpreport %s, rules %s\n", c->new.tool ? c->new.tool : FPREPORT_VERSION,
               c->new.rules ? c->new.rules : "none");
    buf_printf(out, "Files: %zu, of which %zu new, %zu changed; %zu gone\n", s->n, c->files.added,
               c->files.changed, c->files.removed);
    buf_printf(out, "Verdicts: %zu the same, %zu changed, %zu new, %zu gone\n", d->same, d->changed,
               d->added, d->gone);
    for (size_t i = 0; i < d->n_runs && i < LISTED; i++) {
        buf_str(out, "  ");
        publish_changed_run(&d->runs[i], out);
    }
    if (d->n_runs > LISTED)
        buf_printf(out, "  and %zu more\n", d->n_runs - LISTED);
    buf_char(out, '\n');
    if (s->checkpoint)
        buf_printf(out, "Checkpoint-Log: %lld %s\nCheckpoint-Root: %s\n", s->checkpoint->n,
                   s->checkpoint->head, s->checkpoint->root);
    buf_printf(out, PUBLISH_SUM "%s\n", s->sha256);
}
