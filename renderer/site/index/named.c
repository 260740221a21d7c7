/* What a result names without a record: the ids that its pages have all the same. */
#include "renderer/site/index/row.h"

#include "base/figures/figure.h"
#include "base/signing/hash.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

/* Ids of records are lower-case by custom: a page keeps its address when its record comes. */
static const char *lower(struct arena *arena, const char *id)
{
    char *copy = arena_strdup(arena, id);
    for (char *c = copy; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return copy;
}

void site_name_model(const struct project *p, struct site_entry *e, struct arena *arena)
{
    const struct case_record *c = e->case_record;
    const char *id = e->result->case_id, *dash = strchr(id, '-');
    if (e->model)
        e->model_id = e->model_called = e->model->id;
    else if (c && c->model)
        e->model_id = e->model_called = c->model;
    else {
        e->model_called = dash && dash > id ? arena_strndup(arena, id, (size_t)(dash - id)) : id;
        e->model_id = lower(arena, e->model_called);
    }
    if (!e->model)
        e->model = project_model(p, e->model_id);
}

/* "NVIDIA_A100-SXM4-40GB" of nvidia: "nvidia-a100-sxm4-40gb". Whose letters an address cannot have
 * is told from others like it by a digest. */
#define CARD_BYTES 48
const char *site_card_id(const char *vendor, const char *card, struct arena *arena)
{
    struct buf id = BUF_INIT(BUF_DEFAULT_MAX);
    char digest[HASH_HEX_SIZE];
    const char *folded = text_fold_words(arena, card);
    size_t own = strlen(vendor);
    bool whole = strlen(folded) <= CARD_BYTES, begins = true;
    if (!*folded || figure_absence(card, arena) != FIGURE_TEXT)
        return NULL;
    if (strncmp(folded, vendor, own) == 0 && folded[own] == ' ')
        folded += own + 1;
    buf_str(&id, vendor);
    for (const char *c = folded; *c && id.len < own + CARD_BYTES; c++) {
        bool plain = isalnum((unsigned char)*c) || *c == '+';
        whole = whole && (plain || *c == ' ');
        if (plain && begins)
            buf_char(&id, '-');
        if (plain)
            buf_char(&id, *c);
        begins = !plain;
    }
    if (!whole) {
        hash_sha256(folded, strlen(folded), digest);
        buf_printf(&id, "-%.8s", digest);
    }
    return buf_text(&id, arena);
}
