#include "base/sealed/tar.h"

#include "base/foreign.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 512

/* POSIX.1-1988 "ustar", fields in order. */
struct header {
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100];
    char magic[6], version[2], uname[32], gname[32], major[8], minor[8], prefix[155], pad[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "a ustar header must be one block long");

static const char zeros[BLOCK];

/*
 * Lower case, with '/' as the smallest byte: what lies below a name then sorts directly behind
 * it, so that a clash is always between neighbours.
 */
static char *fold_tar_name(const char *name, struct arena *arena)
{
    char *key = arena_strdup(arena, name);
    for (char *at = key; *at; at++)
        *at = *at == '/' ? '\1' : (char)(*at >= 'A' && *at <= 'Z' ? *at + 'a' - 'A' : *at);
    return key;
}

static char *unfolded(char *key)
{
    for (char *at = key; (at = strchr(at, '\1'));)
        *at = '/';
    return key;
}

static int check_clashes(char **keys, size_t n, const char *what, struct err *err)
{
    if (n > 1)
        qsort(keys, n, sizeof *keys, text_by_bytes);
    for (size_t i = 1; i < n; i++) {
        size_t len = strlen(keys[i - 1]);
        if (strncmp(keys[i - 1], keys[i], len) != 0)
            continue;
        if (!keys[i][len])
            return err_set(err, ERR_INPUT, "%s: two files have the name '%s' (case ignored)", what,
                           unfolded(keys[i]));
        if (keys[i][len] == '\1')
            return err_set(err, ERR_INPUT, "%s: '%s' is both a file and the folder of '%s'", what,
                           unfolded(keys[i - 1]), unfolded(keys[i]));
    }
    return 0;
}

int tar_check_names(const struct tar_member *members, size_t n, const char *what, struct err *err)
{
    struct arena arena = ARENA_INIT;
    char **keys = arena_array(&arena, n, sizeof *keys);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        const char *problem = foreign_name_problem(members[i].name);
        if (problem)
            rc = err_set(err, ERR_INPUT, "%s: the name '%s' %s", what,
                         foreign_name_shown(members[i].name, &arena), problem);
        else
            keys[i] = fold_tar_name(members[i].name, &arena);
    }
    if (rc == 0)
        rc = check_clashes(keys, n, what, err);
    arena_release(&arena);
    return rc;
}

void tar_sort(struct tar_member *members, size_t n)
{
    if (n > 1)
        qsort(members, n, sizeof *members, text_by_bytes);
}

/*
 * A name of more than 100 bytes is cut in two at its last '/' within the first 156 bytes, as GNU
 * tar does; ustar itself would allow any '/' that makes both parts fit.
 */
static int header_name(struct header *h, const char *name, struct err *err)
{
    size_t len = strlen(name), cut = 0;
    if (len > sizeof h->name) {
        size_t reach = len < sizeof h->prefix + 1 ? len : sizeof h->prefix + 1;
        for (cut = reach - 1; cut > 0 && name[cut] != '/'; cut--)
            ;
        if (cut == 0 || len - cut - 1 > sizeof h->name)
            return err_set(err, ERR_INPUT, "%s: the name does not fit into a ustar header", name);
        memcpy(h->prefix, name, cut);
        name += cut + 1;
    }
    memcpy(h->name, name, strlen(name));
    return 0;
}

static int header_fill(struct header *h, const struct tar_member *m, struct err *err)
{
    memset(h, 0, sizeof *h);
    if (header_name(h, m->name, err) < 0)
        return -1;
    memcpy(h->mode, "0000644", 8);
    memcpy(h->uid, "0000000", 8);
    memcpy(h->gid, "0000000", 8);
    if (m->bytes.len > 077777777777)
        return err_set(err, ERR_INPUT, "%s: too large for a ustar header", m->name);
    char size[24];
    snprintf(size, sizeof size, "%011llo", (unsigned long long)m->bytes.len);
    memcpy(h->size, size, sizeof h->size);
    memcpy(h->mtime, "00000000000", 12);
    h->type = '0';
    memcpy(h->magic, "ustar", 6);
    memcpy(h->version, "00", 2);
    memcpy(h->major, "0000000", 8);
    memcpy(h->minor, "0000000", 8);
    unsigned sum = 0;
    memset(h->sum, ' ', sizeof h->sum);
    for (size_t i = 0; i < BLOCK; i++)
        sum += ((const unsigned char *)h)[i];
    snprintf(h->sum, sizeof h->sum, "%06o", sum); /* six digits, NUL, and the space stays */
    return 0;
}

int tar_serialise(const struct tar_member *members, size_t n, tar_sink *sink, void *to,
                  struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct tar_member *m = &members[i];
        struct header h;
        int rc = header_fill(&h, m, err);
        if (rc == 0)
            rc = sink(to, &h, sizeof h, err);
        if (rc == 0 && m->bytes.len)
            rc = sink(to, m->bytes.data, m->bytes.len, err);
        if (rc == 0 && m->bytes.len % BLOCK)
            rc = sink(to, zeros, BLOCK - m->bytes.len % BLOCK, err);
        if (rc != 0)
            return rc;
    }
    int rc = sink(to, zeros, BLOCK, err);
    return rc ? rc : sink(to, zeros, BLOCK, err);
}
