#include "base/store/checkpoint.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "base/signing/sshsig.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct field fields[] = {
    FIELD(COUNT, struct checkpoint, n, .required = true, .max = STORE_ENTRIES_MAX,
          .doc = "number of lines of the archive's log"),
    FIELD(SHA256, struct checkpoint, head, .required = true,
          .doc = "SHA-256 of the last line of the archive's log, including its newline; zeros for "
                 "an empty log"),
    FIELD(SHA256, struct checkpoint, root,
          .doc =
              "SHA-256 of the sorted lines `<sha256>  <path>` of all published files except the "
              "checkpoint and `MANIFEST.sha256` with its parts; if absent, the checkpoint covers "
              "only the log"),
    FIELD(TEXT, struct checkpoint, date, .required = true,
          .doc = "time of signing, `YYYY-MM-DDTHH:MM:SSZ`"),
};

static void check_checkpoint(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct checkpoint *c = value;
    long long when;
    if (!calendar_time(c->date, &when))
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, at->line, at->col,
                  "the date does not have the form YYYY-MM-DDTHH:MM:SSZ");
}

const struct shape checkpoint_shape =
    SHAPE("checkpoint", struct checkpoint, fields,
          .doc = "A checkpoint is a signed statement about the log of an archive and the published "
                 "site.",
          .schema = "fpreport.checkpoint/1", .flat = true, .check = check_checkpoint);

bool checkpoint_is_site_part(const char *path)
{
    size_t number;
    char name[sizeof CHECKPOINT_SITE_PART + 16];
    if (sscanf(path, CHECKPOINT_SITE_PART, &number) != 1)
        return false;
    snprintf(name, sizeof name, CHECKPOINT_SITE_PART, number % 10000);
    return strcmp(path, name) == 0;
}

void checkpoint_text(const struct checkpoint *c, struct buf *out)
{
    shape_save_text(&checkpoint_shape, c, out);
}

int checkpoint_read(const char *path, struct arena *arena, struct checkpoint *out,
                    struct bytes *text, struct diags *diags)
{
    struct err err = ERR_INIT;
    struct json *json;
    struct buf again = BUF_INIT(CHECKPOINT_BYTES_MAX * 2);
    if (file_read(path, CHECKPOINT_BYTES_MAX, arena, text, &err) < 0) {
        diags_add_err(diags, path, 0, 0, &err);
        return -1;
    }
    if (json_parse(path, *text, arena, &json, diags) < 0 ||
        shape_load(&checkpoint_shape, json, path, out, arena, diags) < 0)
        return -1;
    checkpoint_text(out, &again);
    bool same = again.len == text->len && memcmp(again.data, text->data, again.len) == 0;
    buf_release(&again);
    if (!same)
        diags_add(diags, SEVERITY_ERROR, path, 1, 0, "not in the form that fpreport writes");
    return same ? 0 : -1;
}

const char *checkpoint_signed(const char *path, const struct checkpoint *c, struct bytes text,
                              const struct signers *signers, struct arena *arena, bool *good,
                              struct err *err)
{
    struct err fault = ERR_INIT;
    struct bytes armour;
    struct sshsig s;
    struct signers_question q = {.principal = signers ? signers->principal : NULL,
                                 .namespace = SSHSIG_CHECKPOINT};
    const char *why, *file = arena_printf(arena, "%s.sig", path);
    *good = false;
    int there = file_is_there(file, err);
    if (there <= 0)
        return there < 0 ? NULL : "is not signed";
    if (file_read(file, SSHSIG_BYTES_MAX, arena, &armour, &fault) < 0) {
        if (fault.kind != ERR_IO)
            return arena_printf(arena, "has a signature that cannot be read: %s", fault.text);
        *err = fault;
        return NULL;
    }
    if (sshsig_parse(armour, arena, &s, &fault) < 0)
        return arena_printf(arena, "has a signature that %s", fault.text);
    if (!sshsig_holds(&s, SSHSIG_CHECKPOINT, text))
        return "has a signature that is not one of this checkpoint for " SSHSIG_CHECKPOINT;
    *good = !signers;
    if (!signers)
        return arena_printf(arena, "is signed with the key %s; its owner was not checked",
                            s.key.fingerprint);
    q.key = &s.key;
    if (signers->at)
        q.at = signers->at;
    else
        calendar_time(c->date, &q.at);
    const struct signer *signer = signers_find(signers, &q, arena, &why);
    *good = signer != NULL;
    return signer
               ? arena_printf(arena, "is signed by %s with the key %s",
                              q.principal ? q.principal : signer_name(signer, arena),
                              s.key.fingerprint)
               : arena_printf(arena, "is signed with the key %s, which %s", s.key.fingerprint, why);
}

/* ---- kept -------------------------------------------------------------------------------- */

/* For good: what comes back after a power failure would be put in place once more. */
static int remove_next(const char *next, struct err *err)
{
    return unlink(next) < 0 ? err_errno(err, ERR_IO, "%s: cannot remove", next)
                            : file_sync_folder_of(next, err);
}

static int put_in_place(const char *folder, struct bytes text, struct bytes signature,
                        struct arena *arena, struct err *err)
{
    const char *next = path_join(arena, folder, CHECKPOINT_NEXT);
    if (file_write_there(path_join(arena, folder, CHECKPOINT_SIGNATURE), signature.data,
                         signature.len, err) < 0 ||
        file_write_there(path_join(arena, folder, CHECKPOINT_NAME), text.data, text.len, err) < 0)
        return -1;
    return remove_next(next, err);
}

int checkpoint_keep(const char *folder, const char *text, const char *signature,
                    struct arena *arena, struct err *err)
{
    const char *both = arena_printf(arena, "%s%s", text, signature);
    if (file_check_there(path_join(arena, folder, CHECKPOINT_SIGNATURE), err) < 0 ||
        file_check_there(path_join(arena, folder, CHECKPOINT_NAME), err) < 0)
        return -1;
    if (file_write_there(path_join(arena, folder, CHECKPOINT_NEXT), both, strlen(both), err) < 0)
        return -1;
    return put_in_place(folder, (struct bytes){text, strlen(text)},
                        (struct bytes){signature, strlen(signature)}, arena, err);
}

int checkpoint_finish(const char *folder, struct arena *arena, bool *was, struct err *err)
{
    const char *next = path_join(arena, folder, CHECKPOINT_NEXT);
    struct err ignored = ERR_INIT;
    struct bytes both;
    struct sshsig s;
    *was = false;
    if (file_check_there(next, err) < 0)
        return -1;
    if (!file_exists(next))
        return 0;
    if (file_read(next, CHECKPOINT_BYTES_MAX + SSHSIG_BYTES_MAX, arena, &both, err) < 0)
        return -1;
    const char *end = memchr(both.data, '\n', both.len);
    size_t n = end ? (size_t)(end - both.data) + 1 : 0;
    struct bytes text = {both.data, n}, signature = {both.data + n, both.len - n};
    *was = n && sshsig_parse(signature, arena, &s, &ignored) == 0 &&
           sshsig_holds(&s, SSHSIG_CHECKPOINT, text);
    return *was ? put_in_place(folder, text, signature, arena, err) : remove_next(next, err);
}

/* Nobody can have signed a line before it was there. */
static const char *too_early(const struct checkpoint *c, const struct store_log *log,
                             struct arena *arena)
{
    const struct store_entry *e =
        c->n > 0 && c->n <= (long long)log->n ? &log->entries[c->n - 1] : NULL;
    if (!e || strcmp(c->date, store_entry_day(e)) >= 0)
        return NULL;
    return arena_printf(arena,
                        "is of %s, and line %lld, which it names, of %s: one of the two has "
                        "the wrong time",
                        c->date, c->n, store_entry_day(e));
}

/* The chain is whole: the SHA-256 of a line stands in the next one. */
static const char *contradiction(const struct checkpoint *c, const struct store_log *log,
                                 struct arena *arena)
{
    if (c->n > (long long)log->lines)
        return arena_printf(arena, "is about a log of %lld lines, found %zu: its end was cut off",
                            c->n, log->lines);
    const char *found = c->n == (long long)log->lines ? log->head
                        : c->n < (long long)log->n    ? log->entries[c->n].prev
                                                      : "";
    if (strcmp(found, c->head) == 0)
        return NULL;
    return arena_printf(arena,
                        "says that line %lld has the SHA-256 %.16s…, found %.16s…: the log was "
                        "changed since",
                        c->n, c->head, found);
}

const char *checkpoint_problem(const struct checkpoint *c, const struct store_log *log,
                               struct arena *arena)
{
    const char *why = contradiction(c, log, arena);
    return why ? why : too_early(c, log, arena);
}

int checkpoint_objection(const char *folder, const struct store_log *log, struct arena *arena,
                         long long *n, const char **why, struct err *err)
{
    const char *path = path_join(arena, folder, CHECKPOINT_NAME);
    struct checkpoint c;
    struct bytes text;
    struct diags faults = DIAGS_INIT(arena);
    bool good = false;
    *n = -1;
    *why = NULL;
    int there = file_is_there(path, err);
    if (there <= 0)
        return there;
    if (checkpoint_read(path, arena, &c, &text, &faults) < 0)
        return faults.machine ? err_set(err, ERR_IO, "%s: %s", path, faults.items[0].message) : 0;
    if (!checkpoint_signed(path, &c, text, NULL, arena, &good, err))
        return -1;
    if (!good)
        return 0;
    *n = c.n;
    *why = contradiction(&c, log, arena);
    return 0;
}
