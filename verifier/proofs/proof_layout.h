/*
 * proof_layout: how many ranks, cards and machines a run had and by which plan: the one answer that
 * all rules, the draft of a record and `train` use (base/records/layout.h).
 *
 * In this order: what run.json has from options and launchers, else the run's own case, else the
 * name of the case's folder; what the framework printed into the log; the logs of ranks; the cards
 * that were busy in the monitors' samples; the case that is only assumed.
 */
#pragma once

#include "verifier/proofs/proof.h"

/* Fills p->layout, p->laid and p->run_laid; run, case, logs and monitors are there. */
void proof_layout_find(const struct audit *a, struct proof *p);
