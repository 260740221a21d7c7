/*
 * verdict: what the checks found about one result, page or submission.
 *
 * The verifier fills it, the renderer and cli show it. It is derived on every run and never
 * stored in records/. All text lives in the arena of the verification.
 */
#pragma once

#include "base/diag.h"
#include "base/figures/figure.h"
#include "base/records/facts.h"
#include "base/records/layout.h"
#include "base/records/reproduction.h"
#include "base/records/result.h"
#include "base/sentence.h"

enum outcome { OUTCOME_PASS, OUTCOME_FAIL, OUTCOME_CANNOT };
extern const char *const outcome_names[]; /* by number, as those below; NULL at the end */
const char *outcome_name(enum outcome o); /* "PASS", "FAIL", "CANNOT" */

static inline enum outcome outcome_of(bool ok)
{
    return ok ? OUTCOME_PASS : OUTCOME_FAIL;
}

/* verified: every claimed figure was recomputed from intact evidence and agrees; partial: some
 * were; unverified: none could be; failed: a check of severity error failed; withdrawn: by its
 * record. */
enum state { STATE_VERIFIED, STATE_PARTIAL, STATE_UNVERIFIED, STATE_FAILED, STATE_WITHDRAWN };
extern const char *const state_names[];
const char *state_name(enum state s); /* "verified" … */

/* One check applied to one place (a row, a cell, the page, an archive). */
struct check_result {
    const char *rule; /* id of the check: verifier/checks table */
    enum outcome outcome;
    enum severity severity; /* of a failure */
    const char *file;
    int line;            /* 0: not known */
    int column;          /* byte in that line, from 1; 0: not known */
    int character;       /* the same place, counted in characters */
    int table, row;      /* from 1, figure tables and their rows; 0: the whole result */
    const char *message; /* complete sentence, also for PASS and CANNOT (the reason) */
    /* The same with what it was made of, for other languages; NULL: not noted. */
    const struct sentence *sentence;
    const char *stated, *expected, *tolerance; /* as text; NULL when it does not apply */
    bool informational; /* not about the claims of the result: its state does not depend on it */
    bool of_figure;     /* an error that contradicts a published figure: its metric fails, too */
    bool redacted;      /* what it said is about a file that is withheld (check_result_redact) */
};

/* One published figure beside what we computed. */
struct metric {
    const char *name; /* column key of base/figures/metrics.h: "token_per_s_per_card", "mfu" … */
    const char *unit;
    int table, row;
    const char *stated;         /* as published; NULL: empty */
    const struct figure *says;  /* what that says (base/figures/figure.h); of no text, too */
    bool claimed;               /* stated holds a figure, not "/" or "OOM" */
    bool warned;                /* outcome FAIL: only findings that are no errors contradict it */
    const struct figure *found; /* recomputed (figure_print); NULL: could not be */
    const struct figure *tolerance; /* of the comparison, in the unit of `stated`; NULL: none */
    const char *source;     /* "evidence": from logs; "stated": from other stated figures; NULL */
    const char *derivation; /* formula with its numbers, for a pocket calculator; NULL, as where it
                               is of a file that is withheld */
    const char *input;      /* file that the evidence's figure is from; NULL: not noted */
    int input_line;         /* 0: of no single line; the last of several */
    int input_from;         /* the first of several lines that it is a figure of; 0: it is one */
    const char *reason;     /* why it could not be recomputed; NULL */
    /* What both were made of (base/sentence.h); NULL: the words of their own row, or nothing. */
    const struct sentence *reason_made, *derivation_made;
    const char *elsewhere; /* its own cell holds none, the row's cell of this column does (FP1003):
                              neither withheld nor contradicted; NULL */
    enum outcome outcome;
    const char *rule;                         /* that compared it; NULL: none did */
    const struct repeated_figure *reproduced; /* by a second run; NULL: there is none */
    const struct figure *again;               /* what that measured; NULL with it */
    const struct reproduction *reproduction;  /* which; NULL with it */
    const char *reproduction_id;              /* its id; NULL with it */
};

/* Reads what the texts of a figure say, where that is not known yet. */
void metric_read(struct metric *m, struct arena *arena);

/* "recomputed" for a figure that nothing was stated of: it agrees with nothing; else the outcome's
 * name. */
const char *metric_word(const struct metric *m);

/* What the checks took a row of figures to be. Two rows of a case in which this differs did other
 * work, whatever their figures are. */
struct verdict_row {
    int table, row;
    const char *key;           /* base/figures/row_key.h; NULL: published without */
    const char *configuration; /* its words (base/figures/row_key.h); NULL with the key */
    const char *precision;     /* of the row, else of its page; NULL: neither says */
    const char *stage;         /* "pretrain", "finetune", or as published; NULL: not said */
    const char *card;          /* in the row's own words; NULL: they name none */
    double mfu_factor;         /* operations per parameter and token; NaN: not of this kind */
    double sequence_length;    /* tokens, of the row, else of its page; NaN: neither says */
};

/* One loss curve. Steps rise strictly; repeated steps keep the last value. */
struct curve {
    double *step, *loss, *seconds; /* seconds: per iteration, NaN when not logged */
    size_t n;
    const char *source; /* file it was read from */
    bool counted;       /* the steps are numbers of reports: the file does not say them */
    bool by_epoch;      /* or of epochs, which is said in `counted`, too */
};

/* Alignment of a run with its reference (the rule: verifier/curves/align.h). */
struct alignment {
    int from_step;
    size_t steps;                                /* compared */
    double mean_rel_error, max_rel_error, limit; /* ratios, not percent */
    double max_step;
    bool aligned;
    const char *reference;
};

/* Who signed the statement of a submission (FP4015). */
enum signed_state {
    SIGNED_NOT,
    SIGNED_UNKNOWN, /* it holds; no file says whose the key is */
    SIGNED_BY,
    SIGNED_BADLY, /* it does not hold, or its key does not count */
};
extern const char *const signed_names[]; /* "unsigned" "unknown" "signed" "refused" */

struct signature {
    enum signed_state state;
    const char *signer; /* SIGNED_BY: a principal; else NULL */
    const char *key;    /* "SHA256:…"; NULL: none can be read */
    const char *why;    /* SIGNED_BADLY */
};

/* A file of a sealed submission. */
struct evidence_file {
    const char *name, *sha256; /* as its manifest says; NULL: not in it */
    size_t bytes;
    bool withheld; /* not published (cli/build/redact.h) */
};

/* One quantity over the time of a run, for drawing: of many samples, the largest of each few. */
struct samples {
    double *at, *value; /* at: seconds since the first sample of its monitor */
    size_t n;
    size_t each, in_last; /* samples that a point stands for; of the last one, so far */
};

/* What the monitors of a run saw: of every card, or of the machine. */
enum monitored {
    MONITORED_MEMORY, /* MiB of a card */
    MONITORED_POWER,  /* W of a card */
    MONITORED_HEAT,   /* degrees Celsius of a card */
    MONITORED_CPU,    /* busy share of all processors */
    MONITORED_MAIN,   /* used share of main memory */
    MONITORED_TOTAL,  /* W of a machine */
    MONITORED
};

struct monitored_cards {
    struct samples *cards; /* of all machines, in their order */
    size_t n;
};

/* Who says something about the environment of a run. */
enum said_by {
    SAID_LOG,         /* the training itself, in its log */
    SAID_SYSTEM,      /* sys_info.log */
    SAID_MONITOR,     /* the monitors beside it */
    SAID_FINGERPRINT, /* fingerprint.json */
    SAID_RUN,         /* case.json and the names of the run's folders */
    SAID_RECORD,      /* the result that is stated */
    SAID_BY
};
extern const char *const said_by_names[];
const char *
said_by_name(enum said_by by); /* "log" "sys_info.log" "monitor" "fingerprint" "run" "record" */

struct said {
    enum said_by by;
    const char *value;
    int line;     /* of the record or the log; 0 */
    bool differs; /* from the one that all are compared with, the fingerprint where it says it */
};

/* One field of the environment by all who say it, in the order of said_by. */
struct agreement {
    const char *key;   /* "driver" */
    const char *label; /* "driver": for people, as a word of a message */
    struct said *said; /* at least one */
    size_t n;
    enum outcome outcome; /* CANNOT: nothing to compare, or excused */
};

/* Does somebody say something else that accuses nobody? Inside a container the system is the
 * image's, and a page may give the machine's. */
bool agreement_excused(const struct agreement *x);

/* What one of them says, several values joined by "; "; NULL: nothing. */
const char *agreement_said(const struct agreement *x, enum said_by by, struct arena *arena);

/* What of a submission is published, where that is not all of it: archive and sha256 of its
 * row_evidence are then those of the redacted one. */
struct published_part {
    const char *whole; /* SHA-256 of the submission that was judged */
    bool only_hashes;
    size_t withheld; /* files */
    struct words reason;
};

/* What the evidence of one row gave; the renderer draws its curve. */
/* The challenge that a run says it answers (base/records/challenge.h). */
struct answered {
    const char *round, *nonce, *vendor, *key; /* nonce NULL: none */
};

struct row_evidence {
    int table, row;                    /* row 0: all rows */
    const char *archive, *sha256, *id; /* id: SHA-256 of the manifest */
    const char *log;
    bool intact;
    bool sealed;  /* a submission that could be opened */
    bool adopted; /* of a run that fpreport did not witness */
    struct signature signature;
    struct curve curve;          /* n 0: none */
    struct curve reference;      /* n 0: none */
    struct alignment *alignment; /* NULL: not compared */
    struct evidence_file *files; /* by name */
    size_t n_files;
    const struct facts *facts;          /* the fingerprint of the machine; NULL: there is none */
    const struct agreement *agreements; /* on the environment */
    size_t n_agreements;
    struct layout layout;  /* who says how many ranks there were, and by which plan */
    const char *framework; /* of a command, by its log: "DeepSpeed 0.14.3"; NULL: it names none */
    const char *finished;  /* when the run ended, as it says; NULL */
    const char **command;  /* that ran, word by word, as it says */
    size_t n_command;      /* 0: it does not say, or was trained natively */
    struct answered answered;
    struct monitored_cards monitored[MONITORED];
    const struct published_part *part; /* NULL: all of it is published */
    const char *entered; /* when the archive of submissions got it; NULL: it did not */
};

/* What a tree of loose files was found to hold, for one round of one case. Nothing binds such
 * files, so that no figure from them makes a result verified. */
struct found_files {
    const char *kase;   /* id of the case that its figures are held to; NULL: not known */
    const char *folder; /* the case key that the files lie under; "" */
    long round;         /* -1: the files stand in no round */
    size_t nodes, logs, monitors;
    long expected_nodes, expected_ranks; /* by the case key; -1: it does not say */
    size_t ranks;                        /* logs of single ranks */
    size_t cards;                        /* that the monitors of one machine show */
    size_t steps;
    double first_step, last_step; /* NaN without steps */
    bool by_epoch;                /* what is counted in steps are epochs */
    const char *format;           /* of the log with the most steps; NULL */
    const char *compared;         /* "nvidia/llama2_7b-megatron#1.2"; NULL: nothing is stated */
};

/* A second run of one row's case. */
struct verdict_reproduction {
    const char *id; /* of the record */
    const struct reproduction *record;
    bool sound; /* the record says what its archive gives: it counts */
    bool held;  /* its archive is not handed out (cli/build/redact.h) */
};

struct mlperf_result;

struct verdict {
    const char *id;   /* "<vendor>/<case>"; of loose files "<case key>/round<K>" */
    const char *file; /* record, page, archive or tree that was verified */
    enum state state;
    const char *rules; /* the rule set, "2026.2" */
    const char *only;  /* the rules that were left of it, "FP2,FP1004"; NULL: all */
    struct check_result *checks;
    size_t n_checks;
    struct metric *metrics;
    size_t n_metrics;
    struct verdict_row *rows; /* those that claim something, in the order of the page */
    size_t n_rows;
    struct row_evidence *evidence;
    size_t n_evidence;
    struct verdict_reproduction *reproductions; /* by the time of the run */
    size_t n_reproductions;
    const struct result *result;        /* borrowed; NULL: a submission without a result */
    const struct found_files *found;    /* loose files; NULL: anything else */
    const struct mlperf_result *mlperf; /* verifier/mlperf/result/result.h; NULL: anything else */
    /* Why this verdict must not be used: the machine, not the evidence, was at fault (no more
     * descriptors, a disk that cannot be read). NULL: it stands. */
    const char *machine;
};

/* Leave rule, place and outcome, and take the words: they are about a file that is not published.
 * `redacted` is set. */
void check_result_redact(struct check_result *c);

/* The same of how a figure was computed, or why it could not be: the figure stays. */
void metric_redact(struct metric *m);

/* metric_read() of all, once the verdict was made or read back: cells of its result, which were
 * read before, are not read again. */
void verdict_read_metrics(struct verdict *v, struct arena *arena);

/* Checks with this outcome whose severity is at least `least`. */
size_t verdict_count(const struct verdict *v, enum outcome outcome, enum severity least);

/* Those failures of at least `least` that are not about the claims (check_result.informational). */
size_t verdict_count_informational(const struct verdict *v, enum severity least);

/* Did a second run agree with the result, and none that counts not? */
bool verdict_is_reproduced(const struct verdict *v);

/* The numbers that an MFU was recomputed from, out of its derivation.
 *
 *   mfu        factor * N * token/p/s / peak
 *   mfu_exact  (6 * parameters + 12 * layers * hidden * MPE) * token/p/s / peak
 *
 * Both derivations end with the name of the peak: "A100 bf16", or what the row calls it. Their
 * values come in the order of these formulas, with the result behind the peak
 * (verifier/claims/mfu.c, verifier/checks/speed/mfu_of_log.c). */

struct mfu_numbers {
    bool exact;
    double factor, parameters;
    double layers, hidden, sequence; /* NaN where it is not exact */
    double rate;                     /* tokens per second and card */
    double peak;                     /* FLOP/s */
    const char *peak_name;
};

/* False: the metric is no such figure, or nothing was recomputed. */
bool mfu_numbers_of(const struct metric *m, struct mfu_numbers *out);
