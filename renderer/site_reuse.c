#include "renderer/site_reuse.h"

struct reuse_key site_key_all(const struct site_index *index)
{
    struct hash h;
    hash_init(&h);
    for (size_t i = 0; i < index->n_entries; i++)
        reuse_hash_key(&h, &index->site->reuse->results[i]);
    return reuse_hash_final(&h);
}

static void hash_rows(struct hash *h, const struct site_index *index,
                      const struct site_row *const *rows, size_t n)
{
    reuse_hash_number(h, n);
    for (size_t i = 0; i < n; i++) {
        reuse_hash_key(h, &index->site->reuse->results[rows[i]->entry - index->entries]);
        reuse_hash_number(h, (uint64_t)rows[i]->table);
        reuse_hash_number(h, (uint64_t)rows[i]->row);
    }
}

struct reuse_key site_key_rows(const struct site_index *index, const struct site_row *const *rows,
                               size_t n, size_t total)
{
    struct hash h;
    hash_init(&h);
    reuse_hash_number(&h, total);
    hash_rows(&h, index, rows, n);
    return reuse_hash_final(&h);
}

static struct reuse_key key_of_part(const struct site_kind *kind, const struct site_index *index,
                                    const struct site_part *part)
{
    struct hash h;
    hash_init(&h);
    reuse_hash_number(&h, part->list->n);
    reuse_hash_number(&h, part->number);
    reuse_hash_number(&h, part->of);
    hash_rows(&h, index, part->rows, part->n);
    if (kind->depends == SITE_ON_LIST)
        hash_rows(&h, index, part->list->rows, part->list->n);
    return reuse_hash_final(&h);
}

struct reuse_key site_key_page(const struct site_kind *kind, const struct site_index *index,
                               size_t i, const struct reuse_key *all)
{
    switch (kind->depends) {
    case SITE_ON_RESULT:
        return index->site->reuse->results[i];
    case SITE_ON_PART:
    case SITE_ON_LIST:
        return key_of_part(kind, index, &kind->parts(index)->items[i]);
    case SITE_ON_ALL:
        break;
    }
    return *all;
}
