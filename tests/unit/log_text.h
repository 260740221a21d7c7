/* A text read as a log, for the tests of its reader. The caller releases the fixture's arena. */
#pragma once

#include "tests/unit/unit.h"

#include "verifier/logs/log.h"

#include <stddef.h>
#include <string.h>

struct fixture {
    struct arena arena;
    struct diags diags;
    struct log log;
};

static inline void assert_same_logs(const struct log *a, const struct log *b)
{
    assert_int_equal(a->n_points, b->n_points);
    assert_int_equal(a->n_values, b->n_values);
    assert_int_equal(a->lines, b->lines);
    assert_int_equal(a->known, b->known);
    assert_int_equal(a->finished, b->finished);
    for (size_t i = 0; i < a->n_points; i++) {
        const struct log_point *x = &a->points[i], *y = &b->points[i];
        assert_memory_equal(x, y, offsetof(struct log_point, has_loss));
        assert_true(x->has_loss == y->has_loss && x->rank == y->rank && x->line == y->line);
    }
    for (size_t i = 0; i < a->n_values; i++) {
        assert_string_equal(a->values[i].key, b->values[i].key);
        assert_int_equal(a->values[i].line, b->values[i].line);
        assert_memory_equal(&a->values[i].value, &b->values[i].value, sizeof(double));
    }
}

/* Reads the text whole and in pieces of several sizes, which must give the same. */
static inline void read_text(struct fixture *f, const char *text, size_t n)
{
    static const size_t pieces[] = {1, 7, 4096};
    arena_init(&f->arena);
    diags_init(&f->diags, &f->arena);
    log_read("run.log", (struct bytes){text, n}, &f->log, &f->arena, &f->diags);
    for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++) {
        struct log log;
        struct log_reader r;
        struct diags diags;
        diags_init(&diags, &f->arena);
        log_open(&r, "run.log", &log, &f->arena, &diags);
        for (size_t i = 0; i < n; i += pieces[k])
            log_feed(&r, text + i, n - i < pieces[k] ? n - i : pieces[k]);
        log_close(&r);
        assert_same_logs(&f->log, &log);
        assert_int_equal(f->diags.n, diags.n);
        for (size_t i = 0; i < diags.n; i++)
            assert_string_equal(f->diags.items[i].message, diags.items[i].message);
    }
}

#define READ(f, text) read_text((f), (text), strlen(text))
