/*
 * agreement: what everybody says about the environment of one run, field by field.
 *
 * The same things are said several times, by different means: the training prints them into its
 * log (verifier/logs/log_banner.h), FlagPerf's monitors write sys_info.log and count cards,
 * fingerprint.json is taken by the program, case.json and the names of folders say what was to run,
 * and the record says what is claimed. One const table has the fields, where each source says them,
 * and when two spellings mean the same. All are compared with one of them: the fingerprint, else
 * what was run, else the log, sys_info.log, the monitors. What only one says agrees with nothing.
 */
#pragma once

#include "verifier/proofs/proof.h"

/* Fills p->agreements: fields that at least one source says, in the order of the table. */
void agreements_find(const struct audit *a, struct proof *p);

/* Of the field with this key, for people; NULL: there is none. */
const char *agreement_label(const char *key);

/* "driver differs: log says '535.54', fingerprint says '550.90', record says '535.54'" */
const char *agreement_text(const struct agreement *x, struct arena *arena);

/* Does it say no more than the record and the case that FP4008 compares? */
bool agreement_is_settings(const struct agreement *x, const struct proof *p);

/* Do a record and another source say it? */
bool agreement_has_record(const struct agreement *x);
