/*
 * site_sheet: one page of the site while it is made (private to renderer/site/): what it may look
 * at, in which language, and the view that its template will see.
 *
 * Everything of a sheet lives in its own arena and is gone when the page is written, so that ten
 * thousand pages need the memory of one.
 */
#pragma once

#include "base/figures/metrics.h"
#include "renderer/site/index/recompute.h"
#include "renderer/templates/view.h"
#include "renderer/words/messages.h"
#include "renderer/words/strings.h"

struct sheet {
    const struct site *site;
    const struct site_index *index;
    const struct strings *strings;
    const struct messages *messages;
    enum page_lang lang;
    struct arena *arena;
    struct view *view;
    const char *missing; /* the first key that was asked for and is not there; NULL */
    size_t n_overlays;   /* drawings of several runs in it, for their ids */
};

/* A word of ours in the language of the page. One that is not there fails the build. */
const char *sheet_t(struct sheet *s, const char *key);

/* The same with values in its places: sheet_fill(s, "results.count", {"n", text}, …). */
const char *sheet_fill_n(struct sheet *s, const char *key, const struct string_value *values,
                         size_t n);
#define sheet_fill(s, key, ...)                                          \
    sheet_fill_n((s), (key), (const struct string_value[]){__VA_ARGS__}, \
                 sizeof((const struct string_value[]){__VA_ARGS__}) / sizeof(struct string_value))

const char *sheet_number(struct sheet *s, size_t n);

/* "70,000,000,000": of a value above 0. */
const char *sheet_grouped(struct sheet *s, double whole);

/* What the verifier says, in the language of the page: a list of {"text", "foreign"}, for
 * site/said.html, by their language: foreign is English on a Chinese page, Chinese on an English
 * one. `made`: what it was made of; NULL: a text without values. */
void sheet_set_said(struct sheet *s, struct view *v, const char *key, const char *english,
                    const struct sentence *made);

/* Words of a record in the language of the page, else in the other one. */
const char *sheet_words(const struct sheet *s, struct words w);

/* Title and description of the page. */
void sheet_set_title(struct sheet *s, const char *title, const char *description);

/* Names of things, as the page calls them. */
const char *sheet_vendor(const struct sheet *s, const struct site_entry *e);
const char *sheet_model(const struct sheet *s, const struct site_entry *e);
const char *sheet_class(struct sheet *s, const char *precision_class);

/* On English pages a card that its record names in Chinese goes by its first alias that is not. */
const char *sheet_card(const struct sheet *s, const struct accelerator *a);

/* Its name on the pages in the other language; "": the same. */
const char *sheet_other_card(const struct sheet *s, const struct accelerator *a);

/* What the rows of this row's group have in common: "16-bit precision · pretraining · 2 N". */
const char *sheet_group(struct sheet *s, const struct site_row *row);

/* Recomputation of activations: "none", "selective", "not stated". */
const char *sheet_recompute(struct sheet *s, enum site_recompute r);

/* What a row has of each criterion, in words. */
void sheet_criteria(struct sheet *s, const struct site_row *row, const char *words[SITE_CRITERIA]);

/* {"precision", "plan", "changed", "detail"}: what tells a row from its neighbours; "detail" is
 * false when it says nothing. */
void sheet_set_detail(struct sheet *s, struct view *v, const struct site_row *row);

/* "NVIDIA · fp16 · A800 1x8": of the row's details those in which others of the same vendor and
 * configuration among these rows differ; the traits are without the vendor. */
const char *sheet_row_traits(struct sheet *s, const struct site_row *row,
                             const struct site_row *const *among, size_t n);
const char *sheet_row_name(struct sheet *s, const struct site_row *row,
                           const struct site_row *const *among, size_t n);

/* "nvidia/llama3_8B:1.2-3f08…": what a row is called in data-row, for scripts. */
const char *sheet_row_mark(struct sheet *s, const struct site_row *row);

/* "row 2", "table 2, row 1", "whole page". */
const char *sheet_place(struct sheet *s, int table, int row);

/* {"place": "row 3", "anchor": "t1-r3", "has_place"}; row 0: the whole page. */
void sheet_set_place(struct sheet *s, struct view *v, int table, int row);

/* {"withdrawn": {"sentence"}}, or false. */
void sheet_set_withdrawal(struct sheet *s, struct view *v, const struct result *r);

/* why.c: why a row of a failed result failed: {"why": {"rule", "elsewhere", "message"}}, the
 * nearest error of its verdict, whatever its figures show: a warning may contradict them, too;
 * "elsewhere" is the place of one of another row, else "". It is false of other results. */
void sheet_set_why(struct sheet *s, struct view *v, const struct site_row *row);

/* Of which result: {"path", "vendor_name", "case"}. */
void sheet_set_of(struct sheet *s, struct view *v, const struct site_entry *e);

/* And beside that {"vendor", "model", "model_name", "reproduced"} and its state. */
void sheet_set_identity(struct sheet *s, struct view *v, const struct site_entry *e);

/* {"state": "failed", "state_word": "未通过", "state_meaning": …, "state_icon": "✕"} */
#define SITE_STATES (STATE_WITHDRAWN + 1)
void sheet_set_state(struct sheet *s, struct view *v, enum state state);
const char *sheet_state_word(struct sheet *s, enum state state);

/* A path or a version on one line, short, whose lines break behind its separators
 * (renderer/templates/escape.h). */
void sheet_set_joined(struct sheet *s, struct view *v, const char *key, const char *text);

/* On one line, and no longer than a list can show; the result's own page has all of it. */
const char *sheet_short(const struct sheet *s, const char *text);

/* What a vendor published, for site/label.html: {"html", "original"}. `english` is what
 * an English page says for it (a Chinese one does not look); where that is another text, the
 * original stands beside it, and what is Chinese there is marked so. Both are inline Markdown. ""
 * becomes false. */
void sheet_set_label(struct sheet *s, struct view *v, const char *key, const char *published,
                     const char *english);

/* Bytes of the piece that a text begins with, and whether that is of the language which what is
 * around it is not in: Chinese in English, English prose (text_is_prose) in Chinese. */
size_t sheet_piece(enum page_lang around, const char *text, size_t n, bool *foreign);

/* {key: […]} for site/said.html: words of ours with those of others in them. */
void sheet_set_pieces(struct sheet *s, struct view *v, const char *key, const char *text);

/* A text for site/said.html at the end of `list`: pieces {"text", "foreign"}, cut where Chinese
 * begins and ends on an English page; `foreign`: all of it is. */
void sheet_push_said(struct sheet *s, struct view *list, const char *text, bool foreign);

/* The configuration of a row, as short as a list has it, and its language: {"configuration",
 * "configuration_lang"}. */
const char *sheet_configuration(const struct sheet *s, const char *published);
void sheet_set_configuration(const struct sheet *s, struct view *v, const char *published);
const char *sheet_language(const struct sheet *s, const char *text);

/* The path of a file as a link has it: what would end it or be read as something else ('#', '?',
 * '%', blanks, quotes) as its number. */
const char *sheet_link(const struct sheet *s, const char *path);

/*
 * How much of one text of a record a page shows, in bytes, and of a block of Markdown: beyond it
 * says how much there is more (text.cut), which the record beside the page has. What is published
 * is a tenth of it; a hundred kilobytes of one character would be a page of their own.
 */
#define SHEET_TEXT_MAX 1500
#define SHEET_NOTE_MAX 12000

/* Text that a page has whole, however long it is: lines to copy, or for the script. */
void sheet_set_whole(struct view *v, const char *key, const char *text);

/* "zh" for a Chinese name on an English page, else "". */
const char *sheet_foreign(const struct sheet *s, const char *text);

/* A figure as {"text", "reading" ("= 3.5 %" of a ratio, renderer/words/ratio.h), "unit", "absent",
 * "mark", "mark_word", "mark_icon", "beside":
 * {"again", "difference"}}: never blank; beside: the recomputed value, if its text is another, and
 * how far it is from the stated one; or false. {"machine", "machine_form", "machine_wrong"}: the
 * value that the verifier read (difference.h), for the script; "" where there is
 * none. {"words"}: sheet_absent_words(). {"published", "published_lang"}: what stands in the cell,
 * if its word is to stand behind that; "" unless the caller says so. */
struct view *sheet_set_figure(struct sheet *s, struct view *v, const char *key,
                              const struct metric *m);

/* What became of a figure's check: {"outcome", "outcome_icon",
 * "outcome_word"}. */
void sheet_set_outcome(struct sheet *s, struct view *v, const struct metric *m);

/* "+0.012 %" */
const char *sheet_difference(struct sheet *s, double percent);

/* "0.104%" as "0.104 pp" where it is a distance of percentages. */
const char *sheet_with_points(struct sheet *s, const char *text, bool points);

/* "True" and "False" in the language of the page; any other text is itself. */
const char *sheet_flag(struct sheet *s, const char *text);

/* How pages write a unit of base/figures/metrics.h, in their language: "token/p/s" is "tokens/s per
 * card". */
const char *sheet_unit(struct sheet *s, const char *unit);

/* {"arrow", "direction", "lower"}: whether more of a figure is better; "" when neither is. */
void sheet_set_direction(struct sheet *s, struct view *v, enum direction better);

/* The words for a figure that is none, as base/figures/figure.h reads it; NULL when it is one. */
const char *sheet_absent(struct sheet *s, const char *text);

/* The same of a figure of a row, which may stand in the column of another. */
const char *sheet_figure_absent(struct sheet *s, const struct metric *m);

/* What stands beside the sign for none, the sign with it: "/,仅供性能参考"; "": nothing does. */
const char *sheet_absent_words(struct sheet *s, const struct metric *m);

/* prose.c: inline or block Markdown of a record, safe; NULL: "". What is Chinese in English
 * text, and English prose in Chinese, says so, but in code. Inline text is of the page's language;
 * a block is Chinese where it has a Chinese character, which KEY_lang says. */
void sheet_set_inline(struct sheet *s, struct view *v, const char *key, const char *markdown);
void sheet_set_note(struct sheet *s, struct view *v, const char *key, const char *markdown);

/* Columns of figures that a table of rows has beside the usual ones. */
#define SITE_COLUMNS_MAX 16
struct site_columns {
    const struct metrics_column *at[SITE_COLUMNS_MAX];
    size_t n;
};

/* lists.c: {"bodies": [{state…, "rows": […]}], "row_count": …}; each row has "figures" for the
 * columns, which may be NULL. */
void sheet_set_rows(struct sheet *s, struct view *v, const struct site_row *const *rows, size_t n,
                    const struct site_columns *columns);

/* One of them, at the end of a list: what site/rows.html shows of a row. */
const struct view *sheet_push_row(struct sheet *s, struct view *rows, const struct site_row *row,
                                  const struct site_columns *columns);

/* The same of the page of a card, which all of them are on. */
void sheet_set_rows_of_card(struct sheet *s, const struct site_part *part);

/* A list of at most this many rows needs no filter. */
#define SHEET_FEW_ROWS 10

/* fold.c: what the columns of a list have in common. Counted over its rows, then set:
 * {"fold_rate", …} where each has the same word for nothing, {"folded": [{"label", "word"}]} to say
 * so, {"folded_one"}: of one row, {"span"}: how many columns are left. */
#define SITE_FOLDS_MAX 11
struct sheet_folds {
    /* `flag` of a column is set where it is folded; `text` is what a row has in it, and `absent`
     * whether that is a word for nothing; NULL: `text` is a figure, which says so itself. */
    const struct sheet_fold_column {
        const char *flag, *label, *text, *absent;
    } * columns;
    size_t n_columns, always; /* columns that are never folded */
    const char *words[SITE_FOLDS_MAX];
    bool kept[SITE_FOLDS_MAX];
    size_t n;            /* rows */
    const char *of_page; /* flag of the column that the page is of: its heading says it; NULL */
};
struct sheet_folds sheet_folds_of_rows(void);    /* of a list */
struct sheet_folds sheet_folds_of_figures(void); /* of a result: stated, recomputed … */
void sheet_fold_row(struct sheet_folds *f, const struct view *row);
void sheet_set_folds(struct sheet *s, struct view *v, const struct sheet_folds *f);

/* {"pages": [{"href", "number", "current"}], "has_pages"}: links to all pages of a list, where
 * there are several; the first is at `folder` ("results/"), the others below it. */
void sheet_set_pages(struct sheet *s, const char *folder, size_t current, size_t n);

/* Title, pages and data of a page that is a part of a list. */
void sheet_set_part(struct sheet *s, const struct site_part *part, const char *name,
                    const char *kind);

/* lists.c: what the vendor, model or card of a list is called, as long as it is. */
const char *sheet_list_vendor(const struct sheet *s, const struct site_list *list);
const char *sheet_list_model(const struct sheet *s, const struct site_list *list);
const char *sheet_list_card(const struct sheet *s, const struct site_list *list);

/* lists.c: {"models", "vendors", "accelerators": [{"id", "name", "name_lang", "count"}]}: all of
 * them. */
void sheet_set_all_links(struct sheet *s);

/* "3 rows" */
const char *sheet_row_count(struct sheet *s, size_t n);

/* lists.c: for each state how many results are in it. */
void sheet_set_counts(struct sheet *s, struct view *states);

/* table.c: a record's table as {"caption", "columns": […], "rows": [{"cells": […]}]}.
 * `verdict` is NULL for tables that hold no figures; else `table` counts figure tables from 1. */
struct view *sheet_table(struct sheet *s, const struct table *t, const struct site_places *verdict,
                         int table);
