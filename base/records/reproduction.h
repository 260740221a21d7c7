/*
 * reproduction: what came out when somebody ran the case of a result again.
 *
 * One record for one row of a result: records/reproductions/<vendor>/<case>/<id>.json, the vendor
 * and the case being those of the result. Its evidence is the sealed run that was made for it;
 * everything else but `by` follows from that run, the result and the evidence of the result, and
 * is computed again whenever the result is verified (verifier/proofs/reproduction.h). A record that
 * says something else than its own run is a finding, not a reproduction.
 */
#pragma once

#include "base/json/shape.h"

/* The loss of the new run beside a curve. */
struct repeated_loss {
    int line;
    const char *beside; /* "evidence": of the result; "reference": of the case; "none" */
    const char *rule;   /* "bits" or "alignment"; NULL beside nothing */
    long long steps;    /* that both have */
    long long identical;
    long long from_step; /* of the alignment */
    double mean_rel_error, max_rel_error, max_step, limit;
    bool agrees;
};

/* One figure of the row, measured again. */
struct repeated_figure {
    int line;
    const char *name;              /* column key of base/figures/metrics.h */
    const char *stated, *measured; /* as text, with the decimals of the page */
    double ratio;                  /* measured / stated; NaN: no such thing */
    double limit;                  /* of |ratio - 1|; NaN: not judged */
    const char *outcome;           /* "agrees", "differs", "reported": not judged */
    const char *why;               /* of the limit, or of its absence */
};

/* A fact of the fingerprint that is not the same; NULL: not known there. */
struct repeated_fact {
    int line;
    const char *key, *original, *here;
};

struct reproduction {
    int line;
    const char *id; /* name of the new run and of the file */
    const char *vendor, *case_id;
    long long table, row; /* from 1, as in struct evidence */
    const char *by, *date;
    const char *device;  /* what it ran on: "AMD EPYC", "8 * NVIDIA H100" */
    bool same_device;    /* as the evidence of the result */
    const char *archive; /* the sealed new run, relative to records/ */
    const char *sha256;  /* of its bytes */
    const char
        *original_sha256; /* of the evidence that it was compared with; NULL: there is none */
    const char *outcome;  /* "reproduced" or "not_reproduced" */
    struct repeated_loss *loss;
    struct repeated_figure *figures;
    size_t n_figures;
    struct repeated_fact *facts; /* NULL: nothing to compare with, or no difference */
    size_t n_facts;
    const char *file; /* set by the loader, not a field */
};

extern const struct shape reproduction_shape, repeated_figure_shape;

/* Does the record say so? */
bool reproduction_is_reproduced(const struct reproduction *r);

/* What became of the loss, for people: "all 250 losses are bit-identical". */
const char *reproduction_loss_words(const struct reproduction *r, struct arena *arena);

/* By column key; NULL when it was not measured. */
const struct repeated_figure *reproduction_figure(const struct reproduction *r, const char *name);
