/* message: what is said of a message of evaluate.h. */
#include "verifier/mlperf/rules/evaluate.h"

#include "base/buf.h"

static const char *alternatives(const struct mlperf_message *m, const struct mllog *log,
                                struct arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < m->rule->n_any_of; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? ", " : "",
                            log->names.texts[m->rule->any_of[i]]);
    return text;
}

/* "lines 12, 15 and 30 more"; "" of one record. */
static const char *record_lines(const struct mlperf_message *m, const struct mllog *log,
                                struct arena *arena)
{
    const char *text = "";
    size_t shown = m->n_records < MLPERF_PLACES_MAX ? m->n_records : MLPERF_PLACES_MAX;
    if (m->n_records < 2)
        return "";
    for (size_t i = 0; i < shown; i++)
        text = arena_printf(arena, "%s%s%d", text, i ? ", " : "",
                            mllog_line(log->bytes, m->places[i]));
    if (shown < m->n_records)
        text = arena_printf(arena, "%s and %zu more", text, m->n_records - shown);
    return arena_printf(arena, "; lines %s", text);
}

static const char *all_of_some(const struct mlperf_message *m, struct arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < m->rule->some.n; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? " and " : "",
                            mlperf_predicate_text(&m->rule->some.items[i], arena));
    return text;
}

/* The place of the rule in the official checker, without the folders. */
static const char *rule_source(const struct mlperf_message *m)
{
    const char *slash = m->set->source, *text = slash;
    for (int levels = 0; *slash && levels < 2; slash++)
        if (*slash == '/') {
            text = slash + 1;
            levels++;
        }
    return text;
}

const char *mlperf_message_text(const struct mlperf_message *m, const struct mllog *log,
                                struct arena *arena)
{
    const char *key = m->rule->key, *text = "";
    switch (m->kind) {
    case MESSAGE_EACH:
        if (!m->predicate)
            text =
                arena_printf(arena, "%s: found '%s', which the rules do not know", key, m->found);
        else if (m->found)
            text = arena_printf(arena, "%s: found %s, expected %s", key, m->found,
                                mlperf_predicate_text(m->predicate, arena));
        else
            text = arena_printf(arena, "%s: does not hold: %s", key,
                                mlperf_predicate_text(m->predicate, arena));
        text = arena_printf(arena, "%s%s", text, record_lines(m, log, arena));
        break;
    case MESSAGE_COUNT:
        text = m->rule->exactly_one
                   ? arena_printf(arena, "%s: found %zu records%s, expected exactly one", key,
                                  m->n_records, m->n_records ? " with different values" : "")
                   : arena_printf(arena, "%s: found %zu records, expected at least %zu", key,
                                  m->n_records, m->rule->at_least);
        break;
    case MESSAGE_SOME:
        text = arena_printf(arena, "%s: no record satisfies %s", key, all_of_some(m, arena));
        break;
    case MESSAGE_SOME_TYPE:
        text =
            arena_printf(arena, "%s: found %s, which cannot be compared: %s%s", key, m->found,
                         mlperf_predicate_text(m->predicate, arena), record_lines(m, log, arena));
        break;
    case MESSAGE_ANY:
        text = arena_printf(arena, "found none of %s, expected one of them",
                            alternatives(m, log, arena));
        break;
    }
    return arena_printf(arena, "%s (%s)", text, rule_source(m));
}
