/*
 * proof: a sealed submission, or one round of a tree of loose files, opened for the rows that it
 * is evidence of.
 *
 * Everything is read once, without judgement: the archive and its manifest
 * (base/sealed/submission.h), run.json, case.json, fingerprint.json, the training logs and monitors
 * (verifier/runs/run_tree.h), and the reference curve that the case names. The rules of
 * verifier/checks judge. What cannot be read is absent here and has its diagnostics. Of a
 * submission by itself only the archive and its manifest are read where the rules that run ask no
 * more
 * (`sealed_only`).
 *
 * Loose files have no manifest, and mostly no case.json: their case is then the published one that
 * their folder or the user names, which is only an assumption (`kase_assumed`).
 */
#pragma once

#include "base/records/facts.h"
#include "base/records/layout.h"
#include "base/sealed/submission.h"
#include "verifier/claims/audit.h"
#include "verifier/runs/run_tree.h"

struct proof {
    const struct evidence *evidence;    /* NULL: a submission verified by itself */
    const char *stated_card;            /* loose: id of the card, by whoever verifies; NULL */
    const struct layout *stated_layout; /* loose: the same of its sizes */
    const char *archive;                /* as the record names it */
    bool opened;
    bool missing;                 /* there is no such file */
    bool loose;                   /* files on disk: nothing binds them together */
    struct submission submission; /* only when opened, and not loose */
    struct diags faults;          /* of the archive */
    struct signature signature;   /* set by the rule that looks at it */
    struct json *run;             /* run.json; NULL */
    const char *run_folder;       /* loose: that holds run.json; NULL */
    bool ended_silently;          /* loose: it says "running", and no process holds its lock */
    struct json *kase_json;       /* case.json; NULL */
    struct case_record *kase;     /* as it was run; NULL */
    const char *named_case;       /* loose: the case that the folder or the logs name; NULL */
    struct bytes case_bytes;      /* loose: case.json */
    bool kase_assumed;            /* it is the published one: nothing says what was run */
    struct facts facts;           /* n 0: none */
    bool fingerprinted;  /* they are a fingerprint's; loose: sys_info.log may add to them */
    struct facts system; /* of sys_info.log; n 0: none */
    struct agreement *agreements; /* agreement.h */
    size_t n_agreements;
    struct run_tree tree;        /* of all files */
    const struct run_log **logs; /* of the archive; loose: of the round. By name */
    size_t n_logs;
    const struct run_monitor **monitors; /* the same */
    size_t n_monitors;
    struct diags tree_faults;      /* ranks, nodes and rounds that do not fit */
    const struct run_round *round; /* of it; NULL: it has none, or several */
    const char *log_name;          /* the log with the most steps; NULL: no log with steps */
    const struct run_log *main_log;
    struct log log; /* its */
    struct diags log_faults;
    struct curve curve;
    struct monitor_peaks peaks;
    struct layout layout;          /* proof_layout.h: who says what, */
    struct layout_source laid;     /* what counts of it, */
    struct layout_source run_laid; /* and of that what the run says, without its logs */
    const char *monitor_fault;     /* why there may be none; NULL */
    const char *reference_path;    /* NULL: the case names none */
    const char *reference_fault;   /* why it cannot be used; NULL */
    struct curve reference;        /* n 0: none */
    struct alignment *alignment;   /* NULL: not compared */
};

/* Open all evidence of the audit's result. */
void proofs_open(struct audit *a);

/* Open one submission; `evidence` may be NULL. */
void proof_open(struct audit *a, struct proof *p, const struct evidence *evidence,
                const char *path);

/* One round of a tree of loose files. What is known beside its logs is set before: run,
 * ended_silently, kase_json, kase, kase_assumed and facts; `evidence` may be NULL. */
void proof_open_round(struct audit *a, struct proof *p, const struct run_tree *tree,
                      const struct run_round *round);

/* The value of this name in the main log, else in another log; *from is the one. NULL: in none. */
const struct log_value *proof_value(const struct proof *p, const char *key,
                                    const struct run_log **from);

/* What a row would say that claims nothing: the case's precision and the machine's card. */
struct claim proof_claim(struct audit *a, const struct proof *p);

/* Sealed from logs of a run that fpreport did not witness (run.json says "adopted"). */
bool proof_is_adopted(const struct proof *p);

/* The card as whoever ran it says: run.json's "accelerator", else the case's; NULL. */
const char *proof_stated_card(const struct proof *p);

/* The card that the fingerprint names, else whoever ran it, else the case's key; NULL. */
const struct accelerator *proof_accelerator(const struct audit *a, const struct proof *p);

/* The next claim that the proof is evidence of, from *i on; NULL at the end. */
const struct claim *proof_next_claim(const struct audit *a, const struct proof *p, size_t *i);

/* Put what the proofs gave into the verdict. */
void proofs_note(struct audit *a);

/* Path inside the archive, for messages: "run.tar.zst:case.json". */
const char *proof_place(const struct audit *a, const struct proof *p, const char *name);

/* A finding about the evidence: its file is the archive, or a file `inside` of it. */
struct check_result *proof_report(struct audit *a, const struct proof *p, const char *inside,
                                  enum outcome outcome, const char *message);

/* Our own trainer logs every step and does nothing between them, so that its logs can be held to
 * more than those of other trainers, which evaluate, save and log every tenth step. */
bool proof_is_native(const struct proof *p);

/* Sealed, and trained by our own trainer: its case may be run by another's command, too. */
bool proof_is_ours(const struct proof *p);

/* Was it trained on the processor? The machine may have cards all the same, of which nothing is
 * figured then. */
bool proof_on_processor(const struct proof *p);

/* The step behind which such a run went on; 0: it began. And what cannot be known then: NULL when
 * the run began. */
double proof_resumed(const struct proof *p);
const char *proof_unseen(const struct audit *a, const struct proof *p);

/* A time of run.json ("started", "finished") as Unix time; NaN. */
double proof_time(const struct proof *p, const char *key);

/* What evidence gives or lacks, in both languages (base/sentence.h). */
extern const struct words proof_messages[];
