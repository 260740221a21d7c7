/* One cell of a table, understood in every way that there is. */
#include "tests/fuzz/fuzz.h"

#include "base/figures/figure.h"
#include "base/figures/metrics.h"
#include "base/markdown/markdown.h"
#include "verifier/claims/cells.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct figure figure;
    struct configuration configuration;
    struct hyperparameters hyperparameters;
    struct plan plan;
    struct buf html;
    const char *cell = arena_strndup(&arena, (const char *)data, size);
    figure_parse(cell, &arena, &figure);
    configuration_parse(cell, &arena, &configuration);
    hyperparameters_parse(cell, &arena, &hyperparameters);
    plan_parse(cell, &arena, &plan);
    plan_find(cell, &arena, &plan);
    metrics_column(cell);
    markdown_plain(&arena, cell);
    buf_init(&html, BUF_DEFAULT_MAX);
    markdown_inline_html(&html, cell);
    markdown_html(&html, cell);
    buf_release(&html);
    arena_release(&arena);
    return 0;
}
