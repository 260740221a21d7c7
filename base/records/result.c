#include "base/records/result.h"

#include "base/figures/figure.h"
#include "base/figures/metrics.h"
#include "base/text.h"

#include <string.h>

const char *const result_places[] = {"title", "environment", "run", "batch", "general", NULL};

extern const struct shape item_shape; /* items hold items */

static const struct field item_fields[] = {
    FIELD(TEXT, struct item, label,
          .doc = "text before the colon, as published; if absent, the bullet has no such text"),
    FIELD(TEXT, struct item, value, .required = true,
          .doc = "text after the colon, as published; `/` means that the value is withheld, and an "
                 "empty text means that it is missing"),
    FIELD(FLAG, struct item, plain, .doc = "true if the text is a paragraph and not a bullet"),
    FIELD_LIST(OBJECTS, struct item, items, .shape = &item_shape,
               .doc = "bullets that are nested in this bullet"),
};

const struct shape item_shape = SHAPE("item", struct item, item_fields,
                                      .doc = "An `item` object is one bullet of a published page.");

static const struct field group_fields[] = {
    FIELD(TEXT, struct group, label, .required = true,
          .doc = "heading as published: `硬件环境`, `H800软件环境`, `并行策略` …"),
    FIELD_LIST(OBJECTS, struct group, items, .shape = &item_shape, .doc = "bullets, in order"),
};

static const struct shape group_shape =
    SHAPE("group", struct group, group_fields,
          .doc = "A group is a list of bullets under a heading of the page: hardware, software, or "
                 "a parallel or optimisation strategy.");

static const struct field environment_fields[] = {
    FIELD(TEXT, struct environment, title, .required = true,
          .doc = "heading as published: `环境配置`, `A100环境配置`"),
    FIELD_LIST(OBJECTS, struct environment, groups, .shape = &group_shape,
               .doc = "lists of bullets about hardware, software and strategies"),
};

static const struct shape environment_shape =
    SHAPE("environment", struct environment, environment_fields,
          .doc = "An environment describes the machine and its software.");

static const struct field batch_value_fields[] = {
    FIELD(TEXT, struct batch_value, when,
          .doc = "stage or experiment for which the value holds (`pretrain`, `finetune`, "
                 "`alignment`; default: all)"),
    FIELD(TEXT, struct batch_value, value, .required = true, .doc = "number, as published"),
};

static const struct shape batch_value_shape =
    SHAPE("batch_value", struct batch_value, batch_value_fields,
          .doc = "A `batch_value` object contains one value of a batch size.", .flat = true);

static const struct field batch_fields[] = {
    FIELD(TEXT, struct batch_item, name, .doc = "name in the framework: `local_batchsize`"),
    FIELD(TEXT, struct batch_item, symbol, .doc = "`LBS`, `MPE`, `GAS`, `GBS`, `TP`, `PP`"),
    FIELD(TEXT, struct batch_item, file, .doc = "configuration file that sets the batch size"),
    FIELD_LIST(OBJECTS, struct batch_item, values, .shape = &batch_value_shape,
               .doc = "values of the batch size"),
    FIELD(WORDS, struct batch_item, text,
          .doc = "the published sentence; if absent, fpreport makes it from the other fields"),
};

static const struct shape batch_shape = SHAPE("batch_item", struct batch_item, batch_fields,
                                              .doc = "A `batch_item` object describes one batch "
                                                     "size of the training.");

static const struct field table_fields[] = {
    FIELD(TEXT, struct table, caption, .doc = "the line directly above the table"),
    FIELD_LIST(TEXTS, struct table, columns, .required = true,
               .doc = "header cells as published; each header determines the meaning of its "
                      "column"),
    FIELD_LIST(ROWS, struct table, rows, .required = true,
               .doc = "cells as published, as inline Markdown"),
};

bool result_is_figure(const char *column, const struct figure *cell)
{
    const struct metrics_column *c = metrics_column(column);
    return !c || !metrics_is_numeric(c->kind) || figure_has_value(cell) || figure_is_absent(cell);
}

void table_read_figures(const struct table *t, struct arena *arena)
{
    for (size_t i = 0; metrics_is_table(t) && i < t->n_rows; i++) {
        struct row *row = &t->rows[i];
        struct figure *figures = arena_array(arena, row->n_cells + 1, sizeof *figures);
        for (size_t k = 0; k < row->n_cells; k++)
            figure_parse(row->cells[k].text, arena, &figures[k]);
        figures[row->n_cells] = figure_missing;
        row->figures = figures;
    }
}

void result_read_figures(const struct result *r, struct arena *arena)
{
    for (size_t i = 0; i < r->n_performance; i++)
        if (r->performance[i].table)
            table_read_figures(r->performance[i].table, arena);
}

static void check_row(const struct table *t, const struct row *row, struct shape_load_ctx *ctx)
{
    for (size_t i = 0; i < row->n_cells && i < t->n_columns; i++) {
        const struct cell *cell = &row->cells[i];
        if (cell->as_published || result_is_figure(t->columns[i], &row->figures[i]))
            continue;
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, cell->line, cell->character,
                  "'%.*s' is not a number, expected a figure such as 2068, 16.3%%, 77/80, "
                  "`/` (withheld) or OOM",
                  text_cut(cell->text, 60), cell->text);
    }
}

static void check_table(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct table *t = value;
    (void)at;
    table_read_figures(t, ctx->arena);
    for (size_t r = 0; metrics_is_table(t) && r < t->n_rows; r++)
        check_row(t, &t->rows[r], ctx);
}

static const struct shape table_shape = SHAPE("table", struct table, table_fields,
                                              .doc = "A `table` object contains one table of a "
                                                     "published page.",
                                              .check = check_table);

static const struct field block_fields[] = {
    FIELD(WORDS, struct block, text, .doc = "text of a paragraph, as Markdown"),
    FIELD(OBJECT, struct block, table, .shape = &table_shape,
          .doc = "a performance table, or any other table"),
};

static void check_block(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct block *b = value;
    if ((b->text.zh != NULL) == (b->table != NULL))
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, at->line, at->col,
                  "found %s, expected either \"text\" or \"table\"",
                  b->table ? "both \"text\" and \"table\"" : "neither \"text\" nor \"table\"");
}

static const struct shape block_shape = SHAPE(
    "block", struct block, block_fields,
    .doc = "A `block` object is a part of the page's performance section: either prose or a table.",
    .check = check_block);

static const struct field extra_fields[] = {
    FIELD(CHOICE, struct extra, place, .required = true, .choices = result_places,
          .doc = "part of the page that precedes this text"),
    FIELD(TEXT, struct extra, text, .required = true, .doc = "Markdown, verbatim"),
};

static const struct shape extra_shape = SHAPE("extra", struct extra, extra_fields,
                                              .doc = "An `extra` object contains a text of the "
                                                     "page that fpreport does not recognise.");

static const struct field evidence_fields[] = {
    FIELD(PATH, struct evidence, archive, .required = true,
          .doc = "the sealed submission, relative to `records/`"),
    FIELD(SHA256, struct evidence, sha256, .required = true, .doc = "SHA-256 of this file"),
    FIELD(COUNT, struct evidence, table,
          .doc = "number of the performance table, counted from 1 (default: the first table)"),
    FIELD(COUNT, struct evidence, row,
          .doc = "number of the table row, counted from 1; if absent, all rows"),
};

/* Evidence is published under its own path, which must not be that of a page. */
static void check_evidence_path(const void *value, const struct json *at,
                                struct shape_load_ctx *ctx)
{
    const struct evidence *e = value;
    if (!text_starts(e->archive, "evidence/") || !text_ends(e->archive, ".tar.zst"))
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, at->line, at->col,
                  "found archive \"%.80s\", expected evidence/….tar.zst", e->archive);
}

static const struct shape evidence_shape = SHAPE(
    "evidence", struct evidence, evidence_fields,
    .doc = "An `evidence` object names a submission that proves one table row or all rows of a "
           "result.",
    .check = check_evidence_path);

static const struct field withdrawal_fields[] = {
    FIELD(DATE, struct withdrawal, date, .required = true, .doc = "date of the withdrawal"),
    FIELD(TEXT, struct withdrawal, by, .required = true,
          .doc = "person or organisation that withdrew the result"),
    FIELD(WORDS, struct withdrawal, reason, .required = true,
          .doc = "reason, which the result page shows"),
};

static const struct shape withdrawal_shape =
    SHAPE("withdrawal", struct withdrawal, withdrawal_fields,
          .doc = "A `withdrawal` object describes the withdrawal of a result.");

static const struct field origin_fields[] = {
    FIELD(TEXT, struct origin, repository, .required = true, .doc = "repository of the page"),
    FIELD(TEXT, struct origin, commit, .doc = "commit of the page"),
    FIELD(PATH, struct origin, path, .doc = "file of the page"),
};

static const struct shape origin_shape =
    SHAPE("origin", struct origin, origin_fields,
          .doc = "An `origin` object names the published page from which a result was imported.");

static const struct field result_fields[] = {
    FIELD(ID, struct result, vendor, .required = true,
          .doc = "id of the vendor; name of the folder"),
    {.key = "case",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct result, case_id),
     .doc = "id of the case; name of the file"},
    FIELD(OBJECT, struct result, origin, .shape = &origin_shape,
          .doc = "the published page from which the result was imported"),
    FIELD(TEXT, struct result, preamble, .doc = "Markdown before the title, verbatim"),
    FIELD(TEXT, struct result, title, .doc = "title of the page, as published"),
    FIELD_LIST(OBJECTS, struct result, environments, .shape = &environment_shape,
               .doc = "machines and software"),
    FIELD(TEXT, struct result, run_title,
          .doc = "heading of the section about the run; if absent, the page has no such heading"),
    FIELD_LIST(OBJECTS, struct result, batch, .shape = &batch_shape, .doc = "batch sizes"),
    FIELD_LIST(OBJECTS, struct result, run_groups, .shape = &group_shape,
               .doc = "lists of strategies after the batch sizes"),
    FIELD(OBJECT, struct result, general, .shape = &table_shape,
          .doc = "the general metrics table: name, value, remark"),
    FIELD_LIST(OBJECTS, struct result, performance, .shape = &block_shape,
               .doc = "prose and tables of figures, in order"),
    FIELD_LIST(OBJECTS, struct result, extras, .shape = &extra_shape,
               .doc = "texts of the page that fpreport does not recognise, in order"),
    FIELD_LIST(OBJECTS, struct result, evidence, .shape = &evidence_shape,
               .doc = "sealed submissions that prove the stated numbers"),
    FIELD(OBJECT, struct result, withdrawn, .shape = &withdrawal_shape,
          .doc = "the withdrawal; exists only if the result was withdrawn"),
};

const struct shape result_shape = SHAPE("result", struct result, result_fields,
                                        .doc = "A result record contains the numbers that one "
                                               "vendor states for one case.",
                                        .schema = "fpreport.result/1");

size_t result_figure_tables(const struct result *r, struct arena *arena, const struct table ***out)
{
    const struct table **tables = arena_array(arena, r->n_performance, sizeof *tables);
    size_t n = 0;
    for (size_t i = 0; i < r->n_performance; i++)
        if (r->performance[i].table && metrics_is_table(r->performance[i].table))
            tables[n++] = r->performance[i].table;
    *out = tables;
    return n;
}

const char *result_general(const struct result *r, const char *name)
{
    for (size_t i = 0; r->general && i < r->general->n_rows; i++) {
        const struct row *row = &r->general->rows[i];
        if (row->n_cells > 1 && text_same(row->cells[0].text, name))
            return row->cells[1].text;
    }
    return NULL;
}
