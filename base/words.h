/*
 * words: a text of ours in both languages.
 *
 * What findings, errors and reasons say is English where it is said (base/sentence.h); the row that
 * has its format has the Chinese, with the values in places counted from 1:
 *
 *     {.en = "row %zu of table %d has %zu %s", .zh = "表 {2} 第 {1} 行有 {3} {4:said}"}
 *
 * {1} is put in as it stands: a figure, a name, a cell of the page. {4:said} is a text of ours
 * again, which has a row itself. Rules have the rows of their findings in their files
 * (verifier/claims/rule.h); each room whose texts a page may show has a table of its own, which
 * ends with a row of NULL. A test holds all of them to the sources (tests/cli/messages.sh).
 */
#pragma once

struct words {
    const char *zh, *en;
};

extern const struct words file_messages[];    /* base/files: names, and what the system says */
extern const struct words worker_messages[];  /* base/process */
extern const struct words shape_messages[];   /* base/json: how two records differ */
extern const struct words signing_messages[]; /* base/signing */
extern const struct words sealed_messages[];  /* base/sealed */
extern const struct words record_messages[];  /* base/records: facts, rates, second runs */
extern const struct words fact_reasons[];     /* the same: why a fact is not known */
