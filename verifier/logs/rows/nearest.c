#include "verifier/logs/rows/nearest.h"

#include "base/text.h"
#include "verifier/logs/rows/pattern_rows.h"

void nearest_keep(struct log_reader *r, struct nearest_lines *to, struct span line)
{
    bool digit = false;
    if (to->n == NEAREST_LINES || to->looked_at++ >= NEAREST_LOOKED_AT ||
        line.n > NEAREST_LINE_MAX || r->log->known)
        return;
    for (size_t i = 0; i < line.n && !digit; i++)
        digit = text_is_digit(line.p[i]);
    if (!digit)
        return;
    to->line[to->n] = r->line;
    to->text[to->n++] = (struct span){arena_strndup(r->arena, line.p, line.n), line.n};
}

/* How much of a row's words a line has. */
struct nearness {
    double share;
    size_t words;
    const struct pattern_row *row;
    struct span missing;
    int line;
};

static void judge_nearness(const struct pattern_row *row, const struct pattern *p,
                           const struct nearest_lines *lines, struct nearness *best)
{
    for (size_t i = 0; i < lines->n; i++) {
        struct pattern_words w = pattern_words(p, lines->text[i]);
        double share = w.of ? (double)w.found / (double)w.of : 0;
        if (w.of < 2 || share < best->share || (share == best->share && w.found <= best->words))
            continue;
        *best = (struct nearness){share, w.found, row, w.missing, lines->line[i]};
    }
}

void nearest_say(struct log_reader *r, const struct nearest_lines *lines)
{
    struct nearness best = {.row = NULL};
    struct err err = ERR_INIT;
    for (const struct pattern_row *row = pattern_rows; row->line && lines->n; row++) {
        struct pattern *p;
        if (pattern_compile(row->line, &pattern_row_fields, r->arena, &p, &err) == 0)
            judge_nearness(row, p, lines, &best);
    }
    if (!best.row || best.share < NEAREST_SHARE)
        return;
    if (best.missing.n)
        diags_add(r->diags, SEVERITY_NOTICE, r->log->file, best.line, 0,
                  "the closest known format is %s (%s), but its text \"%s\" is missing",
                  best.row->name, best.row->line,
                  arena_strndup(r->arena, best.missing.p, best.missing.n));
    else
        diags_add(r->diags, SEVERITY_NOTICE, r->log->file, best.line, 0,
                  "the closest known format is %s (%s), but its words appear in another order or "
                  "without numbers between them",
                  best.row->name, best.row->line);
}
