/* What a tree of loose files was found to hold, for people and as JSON. */
#include "verifier/verdicts/verdicts.h"

static void put_found_count(struct buf *out, size_t n, long expected, const char *what)
{
    buf_printf(out, "%zu", n);
    if (expected >= 0 && (size_t)expected != n)
        buf_printf(out, " of %ld", expected);
    buf_printf(out, " %s%s, ", what, n == 1 && expected <= 1 ? "" : "s");
}

void verdict_found_text(const struct found_files *f, struct buf *out)
{
    buf_str(out, "  found: ");
    if (f->nodes || f->expected_nodes > 0)
        put_found_count(out, f->nodes, f->expected_nodes, "node");
    if (f->ranks)
        put_found_count(out, f->ranks, f->expected_ranks, "rank");
    put_found_count(out, f->logs, -1, "log");
    buf_printf(out, "%zu monitor%s\n", f->monitors, f->monitors == 1 ? "" : "s");
    if (f->steps)
        buf_printf(out, "      %zu %s%s (%.17g to %.17g) of format %s\n", f->steps,
                   f->by_epoch ? "epoch" : "step", f->steps == 1 ? "" : "s", f->first_step,
                   f->last_step, f->format ? f->format : "unknown");
    else
        buf_str(out, "      no steps\n");
    buf_printf(out, "      case %s%s%s\n", f->kase ? f->kase : "not known",
               f->compared ? ", compared with " : "", f->compared ? f->compared : "");
    buf_str(out, "      loose files, not sealed: no figure from them makes a result verified\n");
}

static void put_long(struct json_writer *w, const char *key, long value)
{
    if (value < 0)
        json_null(w, key);
    else
        json_integer(w, key, value);
}

void verdict_found_json(const struct found_files *f, struct json_writer *w)
{
    json_begin_object_flat(w, "found");
    json_bool(w, "sealed", false);
    json_string(w, "case", f->kase);
    json_string(w, "folder", f->folder);
    put_long(w, "round", f->round);
    json_integer(w, "nodes", (long long)f->nodes);
    put_long(w, "expected_nodes", f->expected_nodes);
    json_integer(w, "ranks", (long long)f->ranks);
    put_long(w, "expected_ranks", f->expected_ranks);
    json_integer(w, "logs", (long long)f->logs);
    json_integer(w, "monitors", (long long)f->monitors);
    json_integer(w, "cards", (long long)f->cards);
    json_integer(w, "steps", (long long)f->steps);
    json_string(w, "x_axis", f->by_epoch ? "epoch" : "step");
    json_number(w, "first_step", f->first_step);
    json_number(w, "last_step", f->last_step);
    json_string(w, "format", f->format);
    json_string(w, "compared", f->compared);
    json_end_object(w);
}
