#include "collector/store/add.h"

#include "base/files/file.h"
#include "base/sealed/archive.h"
#include "collector/store/write.h"

#include <string.h>

/* The bytes of this file, if they are still those with this SHA-256. In `arena`. */
static int read_judged(const char *path, const char *sha256, struct arena *arena,
                       struct bytes *packed, struct err *err)
{
    char hex[HASH_HEX_SIZE];
    if (file_read(path, ARCHIVE_PACKED_MAX, arena, packed, err) < 0)
        return -1;
    hash_sha256(packed->data, packed->len, hex);
    return strcmp(hex, sha256) == 0
               ? 0
               : err_set(err, ERR_INPUT, "%s: changed while it was being read", path);
}

static int check_rival(const struct store *s, const char *path, const struct store_entry *e,
                       struct err *err)
{
    const struct store_entry *rival = store_rival(&s->log, &s->index, e);
    if (!rival)
        return 0;
    return err_set(
        err, ERR_CHECK,
        "%s: refused, because the archive already contains this run, signed by %s (line %d of the "
        "log); if the run is not theirs, first run `fpreport archive withdraw %.16s --reason TEXT`",
        path, rival->signer ? rival->signer : rival->key, rival->line, rival->object);
}

int store_add(struct store *s, const char *path, struct store_entry *e, bool *there,
              struct err *err)
{
    struct arena own = ARENA_INIT;
    struct bytes packed;
    *there = store_submission_of(&s->index, e->object) != NULL;
    int rc = *there ? 0 : check_rival(s, path, e, err);
    if (rc == 0)
        rc = read_judged(path, e->object, &own, &packed, err);
    if (rc == 0)
        rc = store_put(s, packed, e->object, err);
    if (rc == 0 && !*there)
        rc = store_append(s, e, err);
    arena_release(&own);
    return rc;
}
