/*
 * evaluate: the official verdict of a log (MLPERF.md 2).
 *
 * Sets of rules are taken one after the other, beginning with the one that the ruleset starts with;
 * a value may open further sets. One message is kept for a key, the last; a later set that has a
 * key drops what was said of it before. Messages of `some` and `any_of_keys` are never dropped. The
 * log complies when no message is left. Nothing in a log is ever an exception: a missing member or
 * a value of another type is a predicate that fails.
 */
#pragma once

#include "base/sentence.h"
#include "verifier/mlperf/rules/ruleset.h"

enum mlperf_message_kind {
    MESSAGE_EACH,      /* a record of the key fails a predicate, or opens no set */
    MESSAGE_COUNT,     /* too few records of the key, or several that differ */
    MESSAGE_SOME,      /* no record of the key satisfies what one has to */
    MESSAGE_SOME_TYPE, /* one cannot be asked: its value is missing or of another type */
    MESSAGE_ANY,       /* none of several keys occurs */
};

#define MLPERF_PLACES_MAX 8 /* of a message, in its words */

struct mlperf_message {
    enum mlperf_message_kind kind;
    const struct mlperf_set *set;
    const struct mlperf_key *rule;
    const struct mlperf_predicate *predicate; /* NULL */
    const char *found;                        /* value that failed it; NULL */
    size_t n_records;                         /* that fail; of COUNT, that there are */
    uint32_t places[MLPERF_PLACES_MAX];       /* of the first of these (mllog_line) */
};

/* A key that occurs more than once, equally, and should once. */
struct mlperf_repeat {
    const char *key;
    size_t n_records;
    uint32_t at; /* of the second */
};

#define MLPERF_SETS_MAX 16 /* that one log may open; rule files open three */

struct mlperf_evaluation {
    struct mlperf_message *messages;
    size_t n_messages;
    struct mlperf_repeat *repeats;
    size_t n_repeats;
    const struct mlperf_set *sets[MLPERF_SETS_MAX]; /* that were opened, in their order */
    size_t n_sets;
    const struct mllog_record **first; /* by name: the first record of the file; NULL */
    struct mllog_record *grouped;      /* records that `group` made, of the last set that has any */
    size_t n_grouped;
};

/* The log must have been read with the names of the ruleset. */
void mlperf_evaluate(const struct mlperf_ruleset *rules, const struct mllog *log,
                     struct arena *arena, struct mlperf_evaluation *out);

/* The same, beginning with another set. */
void mlperf_evaluate_from(const struct mlperf_ruleset *rules, const struct mlperf_set *set,
                          const struct mllog *log, struct arena *arena,
                          struct mlperf_evaluation *out);

/* Values of what the set binds; one for each of its lets. */
const struct mllog_value *mlperf_bind(const struct mlperf_set *set,
                                      const struct mllog_record *const *first, struct arena *arena);

/* The sentence of a finding, with the lines of the records. */
const char *mlperf_message_text(const struct mlperf_message *m, const struct mllog *log,
                                struct arena *arena);

extern const struct words mlperf_official_messages[]; /* of these sentences (base/sentence.h) */
