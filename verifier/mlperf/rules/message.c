/* message: what is said of a message of evaluate.h. */
#include "verifier/mlperf/rules/evaluate.h"

#include "base/sentence.h"

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
        text = sentence_say(arena, "%s and %zu more", text, m->n_records - shown);
    return sentence_say(arena, "; lines %s", text);
}

static const char *all_of_some(const struct mlperf_message *m, struct arena *arena)
{
    const char *text = NULL;
    for (size_t i = 0; i < m->rule->some.n; i++) {
        const char *one = mlperf_predicate_text(&m->rule->some.items[i], arena);
        text = text ? sentence_say(arena, "%s and %s", text, one) : one;
    }
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

static const char *each_broken_text(const struct mlperf_message *m, struct arena *arena)
{
    const char *key = m->rule->key;
    const char *asked = m->predicate ? mlperf_predicate_text(m->predicate, arena) : NULL;
    if (!asked)
        return sentence_say(arena, "%s: found '%s', a value that the rules do not define", key,
                            m->found);
    if (m->found)
        return sentence_say(arena, "%s: found %s, expected %s", key, m->found, asked);
    return sentence_say(arena, "%s: does not hold: %s", key, asked);
}

static const char *count_broken_text(const struct mlperf_message *m, struct arena *arena)
{
    const char *key = m->rule->key;
    if (!m->rule->exactly_one)
        return sentence_say(arena, "%s: found %zu records, expected at least %zu", key,
                            m->n_records, m->rule->at_least);
    if (!m->n_records)
        return sentence_say(arena, "%s: found no record, expected exactly one", key);
    return sentence_say(arena, "%s: found %zu records with different values, expected exactly one",
                        key, m->n_records);
}

const char *mlperf_message_text(const struct mlperf_message *m, const struct mllog *log,
                                struct arena *arena)
{
    const char *key = m->rule->key, *text = "", *lines = "";
    switch (m->kind) {
    case MESSAGE_EACH:
        text = each_broken_text(m, arena);
        lines = record_lines(m, log, arena);
        break;
    case MESSAGE_COUNT:
        text = count_broken_text(m, arena);
        break;
    case MESSAGE_SOME:
        text = sentence_say(arena, "%s: no record satisfies %s", key, all_of_some(m, arena));
        break;
    case MESSAGE_SOME_TYPE:
        text = sentence_say(arena, "%s: found %s, which cannot be compared: %s", key, m->found,
                            mlperf_predicate_text(m->predicate, arena));
        lines = record_lines(m, log, arena);
        break;
    case MESSAGE_ANY:
        text = sentence_say(arena, "the log has none of %s, expected one of these records",
                            alternatives(m, log, arena));
        break;
    }
    return sentence_say(arena, "%s%s (%s)", text, lines, rule_source(m));
}
