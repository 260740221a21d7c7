/* log_formats: what the formats of verifier/logs/log.c share with it. Each takes one segment of a
 * line and returns whether it was one of its own. */
#ifndef VERIFIER_LOGS_FORMATS_FORMATS_H
#define VERIFIER_LOGS_FORMATS_FORMATS_H

#include "verifier/logs/log.h"

bool log_perflog(struct log_reader *r, struct span s);
bool log_megatron(struct log_reader *r, struct span s);
bool log_deepspeed(struct log_reader *r, struct span s);
bool log_huggingface(struct log_reader *r, struct span s);
bool log_summary(struct log_reader *r, struct span s);
bool log_curve_line(struct log_reader *r, struct span s);
bool log_llama_recipes(struct log_reader *r, struct span s);
bool log_llava(struct log_reader *r, struct span s);
bool log_target(struct log_reader *r, struct span s);
bool log_result(struct log_reader *r, struct span s);
bool log_paddle(struct log_reader *r, struct span s);
bool log_patterns(struct log_reader *r, struct span s);
bool log_trainer_state(struct log_reader *r, struct span s);

/* End of the file: what a format has to say about all of it. */
void log_huggingface_end(struct log_reader *r);
void log_curve_end(struct log_reader *r);

/* A name and its length, as a row of a table: LOG_NAME("MFU"). */
struct log_name {
    const char *text;
    size_t n;
};
#define LOG_NAME(literal)              \
    {                                  \
        (literal), sizeof(literal) - 1 \
    }

/* A point with nothing known but the step. */
struct log_point log_point_at(const struct log_reader *r, double step);

/* Sets the member at this offset (offsetof) of the point. */
void log_set(struct log_point *p, size_t at, double value);

/* A point without a finite step is none: it is dropped. */
void log_add_point(struct log_reader *r, const struct log_point *p);

/* The points, which were in a buffer of the reader's while they grew, into the arena. */
void log_finish_points(struct log_reader *r);

/* Replaces the value that is there under this name. */
void log_add_value(struct log_reader *r, struct span key, double value);

#endif
