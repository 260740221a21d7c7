/*
 * log: training logs in, steps and final values out.
 *
 * Bytes are fed in pieces of any size; lines are cut (a carriage return inside a line begins a
 * new segment, as progress bars write them), colours of terminals and a byte order mark dropped,
 * and each segment offered to the formats in turn; one that none of them knows once
 * more without what launchers and loggers put in front of it (log_prefix.h). A format knows its own
 * lines by their words and keys, never by position. What no format knows is counted and ignored,
 * because real logs are full of it.
 *
 * TensorBoard's event files are known by their first bytes and read as the lines that
 * event_file.h makes of them; line numbers are then those of records.
 *
 * The formats are files in verifier/logs/formats/, in the order of its table.c; what a format is,
 * is said in log_format.h.
 *
 * Faults (a binary, compressed or UTF-16 file, a line beyond LOG_LINE_MAX, a cut last line, a file
 * in which nothing was known) are diagnostics of the file; a reader never fails. Memory is the
 * arena's, and grows with the number of steps, not with the size of the log, and with them to
 * LOG_POINTS_MAX: beyond it the reports of one step and rank replace each other, and when even that
 * is not enough, of further steps only the last is kept, and a diagnostic says so. All of it stays
 * below 64 MiB.
 *
 * The result does not depend on how the bytes were cut into pieces.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/files/file.h"
#include "base/lines/span.h"
#include "base/records/verdict.h"
#include "verifier/curves/curve_csv.h"
#include "verifier/logs/event_file.h"
#include "verifier/logs/log_banner.h"

#define LOG_LINE_MAX ((size_t)1 << 20)
#define LOG_POINTS_MAX (1 << 18)
#define LOG_EPOCHS_MAX 65536
#define LOG_VALUES_MAX 256
#define LOG_SAVES_MAX 65536
#define LOG_STAMPS_MAX 262144
#define LOG_LINES_MAX (1 << 25) /* and as many blank ones; carriage returns end lines, too */

/* One report of one step. What its line does not say is NaN. */
struct log_point {
    double step; /* finite */
    double loss;
    double seconds;       /* of this iteration */
    double tokens_per_s;  /* of all cards together */
    double samples_per_s; /* the same in samples */
    double samples;       /* trained so far */
    double clock_ms;      /* when it was reported, Unix time */
    double grad_norm, learning_rate;
    double pictures;             /* that it saw */
    double real_tokens, targets; /* without padding; those whose losses are averaged */
    double attention_pairs;      /* over its sequences, the squares of their padded lengths */
    double skipped;     /* steps since the last report of which it says that they were skipped */
    bool has_loss;      /* a loss was printed, be it NaN; or left out because it was NaN */
    bool has_grad_norm; /* the same */
    short rank;         /* the local rank that says so, LOG_RANK_NONE when the line names none */
    int line;
};

#define LOG_RANK_NONE (-1)

/* A final or running value under the name that the log gives it, as "Tokens/p/s"; the last one of
 * its name. Python's True and False are 1 and 0. */
struct log_value {
    const char *key;
    double value;
    int line;
};

/* A checkpoint that was written: time that passed between two steps. */
struct log_save {
    double seconds;
    int line;
};

/* What a log says of steps that were skipped beside its reports (log_skips.h). */
struct log_skips {
    double said, so_far, of; /* one by one; "step=20, skipped=7": 7 of 20 so far, the last; NaN */
    double good_step;        /* the last of "step=20, skipped=7" that was not skipped; NaN */
    int good_line;
    bool ends;        /* all steps behind it were skipped, as the last such line says */
    size_t overflows; /* lines that report one, the last at */
    int overflow_line;
    int line; /* the first of all of them; 0: there is none */
};

/* When a line was written that a format knows, or that says what was skipped: the date and time at
 * its beginning, behind prefixes. Lines whose step has a clock itself are left out. */
struct log_stamp {
    double ms; /* of the Unix time, without a zone */
    int line;
};

/* Something that a line has, and the first such line. */
struct log_oddity {
    const char *what; /* NULL: nothing */
    int line;
};

/* The largest figure of its kind that a log prints. */
struct log_most {
    double value; /* NaN: none is printed */
    int line;
};

/* What the trainer of transformers says at the end of a training, of several the last; NaN: not
 * said. */
struct log_summary {
    double runtime, samples_per_s, steps_per_s;
    double steps; /* that its progress bar goes to, */
    double epochs;
    double elapsed; /* and the seconds that the bar in front of the last report has */
    int line;       /* 0: there is none */
};

struct log {
    const char *file;
    const char *format; /* the one that gave the steps; NULL: no steps */
    struct log_point *points;
    size_t n_points;
    size_t
        counted; /* reports that do not say their step, and were counted; 0: all steps are known */
    bool by_epoch; /* the points are epochs, not steps; all are in `counted`, too */
    struct log_value *values;
    size_t n_values;
    bool finished; /* a FINISHED event was there */
    int finished_line;
    const char *script; /* that wrote the events, as PerfLog names it; NULL */
    struct log_save *saves;
    size_t n_saves;
    struct log_stamp *stamps;
    size_t n_stamps;             /* LOG_STAMPS_MAX at most: those behind are left out */
    double resumed_step;         /* that a native run went on behind; 0: it began */
    const char *initial_weights; /* SHA-256 of given first ones; NULL: none are named */
    /* Of a native run, NaN: not said. The loss before any update, and what it says at its head. */
    double step_zero, seed, sequence_length, micro_batch, gradient_accumulation;
    int zero_line, head_line; /* 0: no such event */
    struct log_banner_value banners[BANNERS];
    struct log_skips skips;
    struct log_summary summary;
    struct log_most tflops, mfu; /* TFLOP/s of a card; percent */
    /* Of events: a key that stands there twice, a number between quotes, the precision that steps
     * name, and one that another step names. */
    struct log_oddity doubled, quoted, step_precision, other_precision;
    int lines;
    size_t known; /* segments that a format knew */
};

/* What a line says about how many steps there are (log_order.h). */
struct log_goal {
    double at, total; /* NaN: not said */
    int line;
};

struct pattern_row; /* verifier/logs/rows/pattern_rows.h */

struct log_reader {
    struct log *log;
    struct arena *arena;
    struct diags *diags;
    struct buf partial; /* the beginning of a segment that the last piece did not end */
    struct buf plain;   /* a segment without the colours of a terminal */
    int line;           /* that is being read, from 1 */
    short rank;         /* named by the prefix of the line that is being read */
    bool skipping;      /* inside a segment that is too long */
    bool stopped;       /* binary or endless: nothing more is read */
    size_t segments;    /* lines, and parts of lines between carriage returns, that were read */
    size_t blanks;      /* the same of those without a byte */
    bool any;           /* a byte was fed */
    size_t broken;      /* lines that begin as an event and are none */
    int broken_line;    /* the first of them */
    struct log_draft *draft;  /* of the segment that is being read: log_say.h */
    struct log_forms *forms;  /* of those that were read: log_form.h */
    struct log_goal goal;     /* what was said last */
    struct log_point *epochs; /* losses of whole epochs */
    size_t n_epochs;
    const char *epochs_of;     /* the format that gave them, */
    double epochs_total;       /* and how many it says there are; NaN */
    size_t added;              /* reports that became points */
    struct span like;          /* the last line that gave one, while its piece is read, */
    struct buf like_kept;      /* and behind that */
    size_t room;               /* points that there is memory for */
    uint32_t *by_step;         /* hash of step and rank to point + 1; NULL below LOG_POINTS_MAX */
    uint64_t seed;             /* of the hash */
    size_t next;               /* point behind the one that was replaced last */
    bool full;                 /* not every step is kept */
    const char *heading;       /* words that stand above the values that follow; NULL */
    void **states;             /* of the formats, in the order of log_formats[] */
    uint64_t of_first[256];    /* bit i: log_formats[i] may know what begins with this byte, */
    uint64_t of_rest;          /* and a segment that it was offered with a prefix */
    char head[EVENT_HEAD];     /* the first bytes, until there are enough to know */
    size_t n_head;             /* of them; EVENT_HEAD: it is known what the file is */
    struct event_file *events; /* the file is one of TensorBoard's; NULL */
    const struct pattern_row *own; /* rows of the project, ends with one without a line; NULL */
    void *of_format;               /* the state of the format that is asked (log_format.h) */
};

/* `file` is borrowed and names the log in diagnostics. */
void log_open(struct log_reader *r, const char *file, struct log *out, struct arena *arena,
              struct diags *diags);
void log_feed(struct log_reader *r, const char *bytes, size_t n);
/* The same of bytes that end with a line, where the next `behind` bytes of the log follow: lines at
 * the end are compared with earlier ones, too, which looks further than they reach. */
void log_feed_ahead(struct log_reader *r, const char *bytes, size_t n, size_t behind);
void log_close(struct log_reader *r); /* end of file; releases what the reader held */

/* All three for bytes at hand, and for a file on disk of any size (ERR_INPUT as in file_read). */
void log_read(const char *file, struct bytes in, struct log *out, struct arena *arena,
              struct diags *diags);
int log_read_file(const char *path, struct log *out, struct arena *arena, struct diags *diags,
                  struct err *err);

/* The same with rows of a project, which are asked behind all others; NULL: there are none. */
int log_read_file_own(const char *path, const struct pattern_row *own, struct log *out,
                      struct arena *arena, struct diags *diags, struct err *err);

/* What a file that begins like this is, as "UTF-16 text" or "a gzip-compressed file", when it is no
 * text that is read here; NULL: nothing that is known. */
const char *log_foreign(struct span head);

/* When this report was written: its own clock, else the stamp of its line or of the nearest one in
 * front of it, behind that of `after`, the report before (NULL: any). Unix time, NaN: unknown. */
double log_clock_ms(const struct log *log, const struct log_point *x,
                    const struct log_point *after);

/* Do its events name a source file of our own trainer ("cli/…/train….c")? */
bool log_is_native(const struct log *log);

/* The last value of this name, or NULL. */
const struct log_value *log_get(const struct log *log, const char *key);

/* What a point's `step` is a number of: "step", or "epoch". */
const char *log_step_word(const struct log *log);

/* The steps as a curve: rising; repeated steps keep the last report, of the lowest rank where
 * several write into one file. Reports without a loss are left out; one that printed NaN is
 * kept. */
void log_curve(const struct log *log, struct arena *arena, struct curve *out);

/* What readers note, in both languages (base/sentence.h). */
extern const struct words log_messages[];
