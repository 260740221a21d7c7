/* Choices of algorithms as text (product.h). */
#include "trainer/cuda/product.h"

#include "base/arena.h"

#include <stdio.h>
#include <string.h>

/* One line per plan: the numbers of the key, the time, the 64 bytes of the algorithm in hex. */
void products_choices(const struct cuda *c, struct buf *out)
{
    for (size_t i = 0; i < c->products->n_plans; i++) {
        const struct plan *plan = &c->products->plans[i];
        const struct product_key *k = &plan->key;
        buf_printf(out, "%d %d %d %d %d %d %d %d %d %d %d %zu %zu %zu %.1f ", k->m, k->n, k->k,
                   k->lda, k->ldb, k->ldc, k->batch, k->transpose_a, k->transpose_b, k->adds,
                   k->c_fp32, k->stride_a, k->stride_b, k->stride_c, plan->microseconds);
        for (size_t word = 0; word < 8; word++)
            buf_printf(out, "%016llx", (unsigned long long)plan->algorithm.data[word]);
        buf_printf(out, "\n");
    }
}

static bool choice_read(const char *line, struct plan *out)
{
    struct product_key *k = &out->key;
    unsigned long long word;
    int used = 0, digits;
    memset(out, 0, sizeof *out);
    if (sscanf(line, "%d %d %d %d %d %d %d %d %d %d %d %zu %zu %zu %lf %n", &k->m, &k->n, &k->k,
               &k->lda, &k->ldb, &k->ldc, &k->batch, &k->transpose_a, &k->transpose_b, &k->adds,
               &k->c_fp32, &k->stride_a, &k->stride_b, &k->stride_c, &out->microseconds,
               &used) != 15)
        return false;
    line += used;
    for (int i = 0; i < 8; i++, line += digits) {
        if (sscanf(line, "%16llx%n", &word, &digits) != 1 || digits != 16)
            return false;
        out->algorithm.data[i] = word;
    }
    return *line == '\n' || *line == '\0';
}

int product_record_read(struct products *all, const char *text, struct err *err)
{
    for (int number = 1; text && *text; number++) {
        struct plan plan;
        if (!choice_read(text, &plan))
            return err_set(err, ERR_INPUT, "line %d of the recorded products is malformed", number);
        all->recorded = memory_grow(all->recorded, (all->n_recorded + 1) * sizeof plan);
        all->recorded[all->n_recorded++] = plan;
        const char *end = strchr(text, '\n');
        text = end ? end + 1 : NULL;
    }
    return 0;
}
