/*
 * build_cache: verdicts, pages and archives of the last build, each by the key of all that it was
 * made from; and the words of that build, for a build that has nothing to do.
 *
 * It lies beside the site, as `<site>.fpreport-cache`, never in it. An entry has a name, a key
 * (renderer/output/reuse.h) and a value: of a verdict its figures and errors, of a page nothing,
 * since its bytes are in the site, whose list has their digest. What depends on a record of a
 * result is in the key (cli/build/reuse.h). Everything else that a build depends on is in one key,
 * the base: the program and its libraries, the command line, all other records, evidence, the
 * archive, templates and words, keys of signers, the checkout and the site before, each by its
 * identity (base/files/seen.h). Entries of another base are not used.
 *
 * A cache that is damaged (its checksum is in front), of another program, command line or folder
 * counts as absent, and the whole build is made. A site that is not as it was left counts the same.
 * Nothing is stored by a build that wrote nothing, of inputs that changed in the moment before they
 * were read, or that lie behind links to folders. A build stores its own entries alone: an entry
 * that it did not need is gone.
 *
 *     build_cache_open(&cache, cli, &od, out);          // with the lock of `od`
 *     if (build_cache_holds(&cache)) …                  // say cache.was again; else:
 *     build_cache_look(&cache);                         // before anything is read
 *     entry = build_cache_find(&cache, BUILD_CACHE_VERDICT, name, &key);
 *     build_cache_put(&cache, BUILD_CACHE_VERDICT, name, &key, &value);
 *     build_cache_keep(&cache, &od, &stats, &now);
 *     build_cache_close(&cache);
 */
#pragma once

#include "base/files/seen.h"
#include "base/lookup.h"
#include "cli/cli.h"
#include "renderer/output/outdir.h"
#include "renderer/output/reuse.h"
#include "renderer/publish/past.h"

/* What an entry is of, and named by. */
enum build_cache_kind {
    BUILD_CACHE_FILE,     /* of the site: its path */
    BUILD_CACHE_VERDICT,  /* the file of its result */
    BUILD_CACHE_PART,     /* an archive that is handed out (cli/build/parts.h) */
    BUILD_CACHE_WITHHELD, /* sums of files that the log withholds */
    BUILD_CACHE_KINDS
};

struct build_entry {
    const char *name;
    struct reuse_key key;
    const void *value;
    size_t len;
    bool stored; /* for the next build, too */
};

/* Entries of one kind. */
struct build_entries {
    struct build_entry *items; /* of the last build */
    size_t n;
    struct lookup by_name;
    struct buf next; /* of this build, packed */
    size_t n_next;
};

/* What a build came to. */
struct build_words {
    int code;           /* of the records and verdicts */
    const char *said;   /* on stderr, without what concerns only the files of the last tree */
    const char *totals; /* on stdout, in front of the sentence about files */
    size_t files;
};

struct build_cache {
    struct cli *cli;
    struct arena arena;
    const char *path, *site;
    struct repo_past *past;   /* the branch, as long as the cache is open; NULL: none */
    const char *command;      /* command line and place, as far as files or words depend on them */
    bool off;                 /* nothing is read or stored */
    bool known;               /* there is a whole cache of this command */
    struct build_words was;   /* of the last build */
    struct reuse_key base;    /* of this build; until build_cache_look, of the last */
    struct seen_list before;  /* what the last build read */
    struct outdir_known left; /* the site as the last build left it */
    bool left_alone;          /* it still is */
    struct unpack packed;     /* entries of the last build, until they are needed */
    bool usable;              /* they have this base, and the site is as it was left */
    struct build_entries entries[BUILD_CACHE_KINDS];
    struct seen_list inputs; /* what this build reads, taken before */
    struct lookup by_path;   /* in `inputs` */
    bool settled;            /* what was taken is what is read */
    struct buf said;
};

/* Reads the cache, if there is a good one. From here on cli->said is noted. */
void build_cache_open(struct build_cache *c, struct cli *cli, const struct outdir *od,
                      const char *out);

/* Is everything as the last build found and left it? */
bool build_cache_holds(struct build_cache *c);

/* Looks at all that the build will read; called before it does. */
void build_cache_look(struct build_cache *c);

/* A file as it was before it was read; NULL: it was not looked at. */
const struct seen *build_cache_seen(const struct build_cache *c, const char *path);

/* The entry of the last build; NULL: there is none with this key. */
struct build_entry *build_cache_find(const struct build_cache *c, enum build_cache_kind kind,
                                     const char *name, const struct reuse_key *key);

/* For the next build, once for each name. `value` may be NULL. */
void build_cache_put(struct build_cache *c, enum build_cache_kind kind, const char *name,
                     const struct reuse_key *key, const struct buf *value);

/* After the site is in place. A cache that cannot be written is none. */
void build_cache_keep(struct build_cache *c, struct outdir *od, const struct outdir_stats *stats,
                      const struct build_words *now);

void build_cache_close(struct build_cache *c);
