/* The shape of an entry, and what the entries of a log add up to (store_log.h). */
#include "base/store/store_log.h"
#include "base/text.h"

#include "base/calendar.h"
#include "base/foreign.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {STORE_ADDED, STORE_WITHDRAWN, STORE_REDACTION, NULL};
static const char *const published[] = {STORE_FULL, STORE_REDACTED, STORE_HASHES, NULL};

static const struct field fields[] = {
    FIELD(COUNT, struct store_entry, n, .required = true, .min = 1, .max = STORE_ENTRIES_MAX,
          .doc = "number of this line in the log, counted from 1"),
    FIELD(SHA256, struct store_entry, prev, .required = true,
          .doc = "SHA-256 of the previous line, including its newline; zeros in the first line"),
    FIELD(TEXT, struct store_entry, time, .required = true,
          .doc = "time at which the line was written, `YYYY-MM-DDTHH:MM:SSZ`; never before the "
                 "time of the previous line"),
    FIELD(TEXT, struct store_entry, clock,
          .doc = "time of the machine's clock, if the clock is behind the previous line; keys must "
                 "then be valid at this time instead of `time`"),
    FIELD(CHOICE, struct store_entry, kind, .choices = kinds, .required = true,
          .doc = "kind of log entry; a redaction decides which files of a submission are "
                 "published"),
    FIELD(SHA256, struct store_entry, submission, .required = true,
          .doc = "SHA-256 of the file SHA256SUMS in the submission"),
    FIELD(
        SHA256, struct store_entry, object,
        .doc =
            "SHA-256 of the received .tar.zst, or of the .tar.zst that is published instead; also "
            "the file name in the archive"),
    FIELD(SHA256, struct store_entry, of,
          .doc =
              "for a withdrawal or redaction: SHA-256 of the .tar.zst that the entry is about; if "
              "absent, it is about all .tar.zst files of the submission"),
    FIELD(TEXT, struct store_entry, signer,
          .doc = "for an added submission: owner of the key that signed it; if absent, the "
                 "submission is not signed, or the owner is unknown"),
    FIELD(TEXT, struct store_entry, key,
          .doc = "for an added submission: fingerprint of the key that signed it"),
    FIELD(TEXT, struct store_entry, rules, .doc = "for an added submission: rule set of `verdict`"),
    FIELD(SHA256, struct store_entry, verdict,
          .doc = "for an added submission: SHA-256 of the JSON verdict on the submission without a "
                 "result"),
    FIELD(TEXT, struct store_entry, by,
          .doc = "for a withdrawal or redaction: person or organisation that made this decision"),
    FIELD(CHOICE, struct store_entry, publish, .choices = published,
          .doc = "for a redaction: which files are published: all files (`full`), all files except "
                 "`withheld` (`redacted`), or only manifest, statement and signature (`hashes`)"),
    FIELD_LIST(TEXTS, struct store_entry, withheld,
               .doc = "for a redaction: files that are not published, sorted by name"),
    FIELD(WORDS, struct store_entry, reason,
          .doc = "for a withdrawal or redaction: reason, which the result page shows"),
};

/* What each kind must have, and must not. */
static const char *problem(const struct store_entry *e)
{
    bool added = strcmp(e->kind, STORE_ADDED) == 0;
    bool redaction = strcmp(e->kind, STORE_REDACTION) == 0;
    const char *publish = e->publish ? e->publish : "";
    bool redacted = strcmp(publish, STORE_REDACTED) == 0;
    bool partly = redaction && strcmp(publish, STORE_FULL) != 0;
    if (added != (e->rules && e->verdict))
        return added ? "added without rules or verdict" : "only an added submission has a verdict";
    if ((added || partly) != (e->object != NULL))
        return "an object is named when one is added or published in part, and only then";
    if (added && e->of)
        return "only a withdrawal or a redaction is about a file that came";
    if (!added && (e->signer || e->key))
        return "only an added submission has a signer";
    if (added && (e->by || e->reason.zh))
        return "an added submission has no reason";
    if (!added && !e->by)
        return "says not by whom";
    if (redaction != (e->publish != NULL))
        return "only a redaction determines the published files";
    if (redacted != (e->n_withheld > 0))
        return "files are withheld when it is redacted, and only then";
    if (!added && strcmp(publish, STORE_FULL) != 0 && (!e->reason.zh || !*e->reason.zh))
        return strcmp(e->kind, STORE_WITHDRAWN) == 0 ? "withdrawn without a reason"
                                                     : "withheld without a reason";
    return NULL;
}

static void check_store_item(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct store_entry *e = value;
    long long when;
    const char *what = problem(e);
    if (!calendar_time(e->time, &when) || (e->clock && !calendar_time(e->clock, &when)))
        what = "the time is not one as YYYY-MM-DDTHH:MM:SSZ";
    else if (e->clock && strcmp(e->clock, e->time) >= 0)
        what = "the clock is not behind the time";
    for (size_t i = 0; i < e->n_withheld && !what; i++)
        if (foreign_name_problem(e->withheld[i]) ||
            (i && strcmp(e->withheld[i - 1], e->withheld[i]) >= 0))
            what = "the withheld files are not names in their order";
    if (what)
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, at->line, at->col, "%s", what);
}

const struct shape store_entry_shape = SHAPE(
    "log", struct store_entry, fields, .doc = "A log entry is a line in the log of an archive.",
    .schema = "fpreport.log/1", .flat = true, .check = check_store_item);

const char *store_entry_day(const struct store_entry *e)
{
    return e->clock ? e->clock : e->time;
}

/* ---- what they add up to ----------------------------------------------------------------- */

static int by_sha256_and_line(const void *a, const void *b)
{
    const struct store_object *x = a, *y = b;
    int order = text_by_bytes(x, y);
    return order ? order : x->entry->line - y->entry->line;
}

/* Of several entries that name an object the first stands for it. */
static void sort_objects(struct store_index *x)
{
    size_t n = 0;
    if (x->n_objects > 1)
        qsort(x->objects, x->n_objects, sizeof *x->objects, by_sha256_and_line);
    for (size_t i = 0; i < x->n_objects; i++)
        if (!n || strcmp(x->objects[n - 1].sha256, x->objects[i].sha256) != 0)
            x->objects[n++] = x->objects[i];
    x->n_objects = n;
}

/* Entries in their order, made one item a submission: the same ones stand together, the earlier
 * line in front. */
static int by_submission_and_line(const void *a, const void *b)
{
    const struct store_entry *x = *(const struct store_entry *const *)a;
    const struct store_entry *y = *(const struct store_entry *const *)b;
    int order = strcmp(x->submission, y->submission);
    return order ? order : x->line - y->line;
}

static void take_entry(struct store_item *item, const struct store_entry *e)
{
    if (strcmp(e->kind, STORE_REDACTION) == 0) {
        item->redaction = e;
        item->redaction_of_all = e->of ? item->redaction_of_all : e;
    } else if (strcmp(e->kind, STORE_WITHDRAWN) == 0) {
        item->withdrawn = item->withdrawn || e->of ? item->withdrawn : e;
    } else {
        item->added = item->added ? item->added : e;
    }
}

/* And what an entry says of that one alone. */
static void take_of_file(struct store_index *x, const struct store_entry *e)
{
    struct store_object *o = (struct store_object *)store_object_of(x, e->of);
    if (!o || !o->item.object || strcmp(o->item.submission, e->submission) != 0)
        return;
    const struct store_entry *of_all = o->item.redaction_of_all;
    if (strcmp(e->kind, STORE_REDACTION) == 0)
        o->item.redaction = of_all && of_all->line > e->line ? of_all : e;
    else if (!o->item.withdrawn || o->item.withdrawn->line > e->line)
        o->item.withdrawn = e;
}

void store_index_make(const struct store_log *log, struct arena *arena, struct store_index *out)
{
    const struct store_entry **order = arena_array(arena, log->n, sizeof *order);
    *out = (struct store_index){.items = arena_array(arena, log->n, sizeof *out->items),
                                .objects = arena_array(arena, log->n, sizeof *out->objects)};
    for (size_t i = 0; i < log->n; i++) {
        order[i] = &log->entries[i];
        if (log->entries[i].object)
            out->objects[out->n_objects++] =
                (struct store_object){.sha256 = log->entries[i].object, .entry = &log->entries[i]};
    }
    if (log->n > 1)
        qsort(order, log->n, sizeof *order, by_submission_and_line);
    for (size_t i = 0; i < log->n; i++) {
        if (!i || strcmp(order[i]->submission, order[i - 1]->submission) != 0)
            out->items[out->n_items++].submission = order[i]->submission;
        take_entry(&out->items[out->n_items - 1], order[i]);
    }
    sort_objects(out);
    /* Of a file that came: what holds for the whole submission, so that what is withheld of one
     * file is withheld of another that came later. */
    for (size_t i = 0; i < out->n_objects; i++) {
        struct store_object *o = &out->objects[i];
        if (strcmp(o->entry->kind, STORE_ADDED) != 0)
            continue;
        o->item = *store_item_of(out, o->entry->submission);
        o->item.object = o->sha256;
        o->item.added = o->entry;
    }
    for (size_t i = 0; i < log->n; i++)
        if (log->entries[i].of)
            take_of_file(out, &log->entries[i]);
}

const struct store_item *store_item_of(const struct store_index *x, const char *submission)
{
    const struct store_item key = {.submission = submission};
    return x->n_items ? bsearch(&key, x->items, x->n_items, sizeof key, text_by_bytes) : NULL;
}

const struct store_object *store_object_of(const struct store_index *x, const char *sha256)
{
    const struct store_object key = {.sha256 = sha256};
    return x->n_objects ? bsearch(&key, x->objects, x->n_objects, sizeof key, text_by_bytes) : NULL;
}

const struct store_item *store_submission_of(const struct store_index *x, const char *sha256)
{
    const struct store_object *o = store_object_of(x, sha256);
    return o && o->item.object ? &o->item : NULL;
}

const struct store_entry *store_withdrawal_of(const struct store_index *x, const char *submission)
{
    const struct store_item *item = store_item_of(x, submission);
    const struct store_entry *last = item ? item->withdrawn : NULL;
    for (size_t i = 0; item && !item->withdrawn && i < x->n_objects; i++) {
        const struct store_item *file = &x->objects[i].item;
        if (!file->object || strcmp(file->submission, submission) != 0)
            continue;
        if (!file->withdrawn)
            return NULL;
        last = file->withdrawn;
    }
    return last;
}

/* One principal may have several keys; a key whose owner was not known is its own. */
static bool is_of_another_signer(const struct store_entry *a, const struct store_entry *b)
{
    return a->signer && b->signer ? strcmp(a->signer, b->signer) != 0
                                  : a->key && b->key && strcmp(a->key, b->key) != 0;
}

const struct store_entry *store_rival(const struct store_log *log, const struct store_index *x,
                                      const struct store_entry *e)
{
    const struct store_item *item = store_item_of(x, e->submission);
    for (size_t i = 0; item && item->added != e && i < log->n && &log->entries[i] != e; i++) {
        const struct store_entry *other = &log->entries[i];
        if (strcmp(other->kind, STORE_ADDED) != 0 || !is_of_another_signer(other, e) ||
            strcmp(other->submission, e->submission) != 0)
            continue;
        const struct store_item *file = store_submission_of(x, other->object);
        if (!file || !file->withdrawn)
            return other;
    }
    return NULL;
}
