/*
 * checks: the rules, as one const table.
 *
 * A rule looks at one claim (a row of figures), at the whole page, or at a proof, and says
 * PASS, FAIL or CANNOT with its reason. Severity is honest: an error is what cannot be right, by
 * arithmetic or because the page contradicts itself; what is merely odd is a warning; style is a
 * notice. A rule that meets something unknown says CANNOT.
 *
 * Ids are stable: FP1xxx the page as a text, FP2xxx figures, FP3xxx who and what, FP4xxx evidence,
 * FP5xxx reproductions, FP6xxx challenges.
 * The rules as a whole carry a version (CHECKS_RULES) that is part of every verdict.
 */
#ifndef VERIFIER_CHECKS_CHECKS_H
#define VERIFIER_CHECKS_CHECKS_H

#include "verifier/claims/audit.h"
#include "verifier/claims/check.h"
#include "verifier/claims/older_table.h"

#define CHECKS_RULES "2026.2"

/* Nobody trains for longer. */
#define CHECKS_SECONDS_MAX (366.0 * 24 * 3600)

const struct check *checks_all(size_t *n);

/* "error", "error or warning", "error, warning or notice": what a finding of the rule may be. */
const char *check_severities(const struct check *c, struct arena *arena);

/* What must hold, in both languages (checks_words.c). */
struct words check_statement(const struct check *c);

/* Run the rules that were chosen (audit->rules) on an opened audit; or only those about its
 * proofs. */
void checks_run(struct audit *a);
void checks_run_proofs(struct audit *a);

/* The rules, by the file that holds them. verifier/checks/page/cells.c: */
void check_cell_count(struct audit *a);
void check_numbers(struct audit *a, const struct claim *c);
void check_swapped(struct audit *a, const struct claim *c);
void check_config_words(struct audit *a, const struct claim *c);
void check_expression(struct audit *a, const struct claim *c);
void check_target(struct audit *a, const struct claim *c);
void check_size(struct audit *a);
void check_mfu_form(struct audit *a);
/* verifier/checks/page/page.c: */
void check_empty_fields(struct audit *a);
void check_foreign_heading(struct audit *a);
void check_row_reference(struct audit *a);
void check_announced(struct audit *a);
void check_substance(struct audit *a);
void check_precision(struct audit *a);
void check_reminders(struct audit *a);
void check_conflicts(struct audit *a);
/* verifier/checks/page/values.c: */
void check_bounds(struct audit *a, const struct claim *c);
void check_form(struct audit *a, const struct claim *c);
/* verifier/checks/page/doubled.c: */
void check_doubled(struct audit *a);
/* verifier/checks/page/page_loss.c: */
void check_page_loss(struct audit *a);
/* verifier/checks/page/notes.c: */
void check_notes(struct audit *a);
/* verifier/checks/page/peers.c: */
void check_peer_loss(struct audit *a, const struct claim *c);
void check_peer_metrics(struct audit *a);
void check_peer_scores(struct audit *a, const struct claim *c);
void check_twins(struct audit *a, const struct claim *c);
/* verifier/checks/page/identity.c: */
void check_model(struct audit *a);
void check_driver(struct audit *a);
void check_machine(struct audit *a);
void check_machine_card(struct audit *a);
void check_paths(struct audit *a);
/* verifier/checks/page/names.c: */
void check_kind(struct audit *a);
void check_spelling(struct audit *a);
/* verifier/checks/page/checkout.c: */
void check_file_there(struct audit *a);
void check_defaults(struct audit *a);
/* verifier/checks/page/hardware.c: */
void check_accelerator(struct audit *a);
void check_device(struct audit *a);
void check_config_card(struct audit *a);
void check_heading_card(struct audit *a);
void check_card_memory(struct audit *a, const struct claim *c);
void check_memory(struct audit *a, const struct claim *c);
void check_memory_total(struct audit *a, const struct claim *c);
/* verifier/checks/page/parallel.c: */
void check_world_size(struct audit *a, const struct claim *c);
void check_strategy(struct audit *a);
void check_expression_cards(struct audit *a, const struct claim *c);
void check_global_batch(struct audit *a);
void check_config_file(struct audit *a);
void check_config_name(struct audit *a, const struct claim *c);
/* verifier/checks/page/scaling.c: */
void check_rates(struct audit *a);
void check_scaling(struct audit *a);
/* verifier/checks/page/mfu.c: */
void check_mfu(struct audit *a, const struct claim *c);
void check_mfu_proportion(struct audit *a);
void check_mfu_limit(struct audit *a, const struct claim *c);
/* verifier/checks/evidence/evidence.c: */
void check_archive(struct audit *a, struct proof *p);
void check_manifest(struct audit *a, struct proof *p);
void check_run_state(struct audit *a, struct proof *p);
void check_case(struct audit *a, struct proof *p);
void check_log(struct audit *a, struct proof *p);
void check_environment(struct audit *a, struct proof *p);
/* verifier/checks/evidence/settings.c: */
void check_settings(struct audit *a, struct proof *p);
/* verifier/checks/evidence/clock.c: */
void check_clock(struct audit *a, struct proof *p);
/* verifier/checks/evidence/dates.c: */
void check_date(struct audit *a, struct proof *p);
/* verifier/checks/evidence/finished.c: */
void check_finished(struct audit *a, struct proof *p);
/* verifier/checks/evidence/measured.c: */
void check_measured(struct audit *a, struct proof *p);
/* verifier/checks/evidence/recompute.c: */
void check_alignment(struct audit *a, struct proof *p);
void check_evidence_mfu(struct audit *a, struct proof *p);
void check_final_loss(struct audit *a, struct proof *p);
void check_final_values(struct audit *a, struct proof *p);
void check_reached(struct audit *a, struct proof *p);
/* verifier/checks/evidence/rate.c: */
void check_throughput(struct audit *a, struct proof *p);
void check_printed(struct audit *a, struct proof *p);
/* verifier/checks/evidence/usage.c: */
void check_peak_memory(struct audit *a, struct proof *p);
void check_power(struct audit *a, struct proof *p);
/* verifier/checks/evidence/signature.c: */
void check_said(struct audit *a, struct proof *p);
void check_signature(struct audit *a, struct proof *p);
/* verifier/checks/evidence/challenge.c: */
void check_challenge(struct audit *a, struct proof *p);
void check_challenge_order(struct audit *a, struct proof *p);
void check_challenge_start(struct audit *a, struct proof *p);
void check_challenge_level(struct audit *a, struct proof *p);
/* verifier/checks/evidence/run.c: */
void check_run_files(struct audit *a, struct proof *p);
void check_run_json(struct audit *a, struct proof *p);
void check_lonely_losses(struct audit *a, struct proof *p);
/* verifier/checks/evidence/reproduction.c: */
void check_trial_archive(struct audit *a, const struct trial *t);
void check_trial_case(struct audit *a, const struct trial *t);
void check_trial_copy(struct audit *a, const struct trial *t);
void check_trial_record(struct audit *a, const struct trial *t);
void check_trial_outcome(struct audit *a, const struct trial *t);
void check_trial_replaced(struct audit *a, const struct trial *t);

#endif
