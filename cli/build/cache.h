/*
 * build_cache: what the last build of a site read, wrote and said, so that a build of which nothing
 * would be different does nothing.
 *
 * It lies beside the site, as `<site>.fpreport-cache`, never in it: what is needed to make the site
 * again, then what tells whether there is anything to do, which alone is read while there is not.
 * It is believed only when all of it holds: it is whole (the front has the checksum of its last
 * part, and that those of the others), of this program, its libraries, this command line and
 * folder; everything that was read is as it was, and everything in the site is as it was left
 * (base/files/seen.h says what that means). Anything else, a cache that somebody damaged or that is
 * of another program included, is as good as none: the whole build is made, and what it says and
 * writes is the same. Nothing is remembered of a build that wrote nothing, of inputs that changed
 * in the moment before they were read, or that lie behind links to folders.
 *
 *     build_cache_open(&cache, cli, &od, out);          // with the lock of `od`
 *     if (build_cache_holds(&cache)) …                  // say cache.was again; else build, then:
 *     build_cache_pack(&cache, &packers);
 *     build_cache_keep(&cache, &od, &stats, &now);
 *     build_cache_close(&cache);
 */
#ifndef CLI_BUILD_CACHE_H
#define CLI_BUILD_CACHE_H

#include "base/files/file.h"
#include "base/files/seen.h"
#include "base/lookup.h"
#include "cli/cli.h"
#include "renderer/output/known.h"
#include "renderer/publish/past.h"

#define BUILD_CACHE_PARTS 4

/* What the next build's `parts` will be: what each of these packs, one behind the other. All but
 * the last may be asked for before the site is written: build_cache_pack_early has that done by
 * others. build_cache_pack does the rest, once; `self` is used until then. */
typedef void build_cache_packer(const void *self, struct buf *out);
struct build_cache_packers {
    build_cache_packer *pack[BUILD_CACHE_PARTS];
    const void *self;
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
    const char *key;          /* all that a build depends on beside files */
    bool off;                 /* nothing is read or kept */
    bool known;               /* there is a whole cache with this key */
    struct build_words was;   /* of the last build */
    struct seen_list before;  /* what the last build read */
    struct outdir_known left; /* the site as the last build left it */
    struct unpack parts;      /* what records.h, parts.h and reuse.h know; read when
                                 something has to be built */
    int fd;                   /* of the file; -1: there is none */
    struct build_cache_part {
        size_t len;
        uint64_t sum;
    } stored[BUILD_CACHE_PARTS]; /* what makes `parts`, one behind the other */
    size_t *changed;             /* places in `before` of what is something else now */
    size_t n_changed;
    size_t n_program; /* the first so many of `before` are the program and its libraries */
    bool same_program;
    struct seen_look *inputs_look; /* at `before`; NULL: there is none, or it was ended */
    struct seen_look *look;        /* at the site; the same */
    bool left_alone;               /* the site is as it was left; known when the look is ended */
    struct seen_list inputs;       /* what this build reads, taken before */
    struct lookup by_path;         /* in `inputs` */
    bool settled;
    struct file_cache file;                            /* the next build's */
    struct build_cache_part packed[BUILD_CACHE_PARTS]; /* what is in it */
    bool packed_all;
    bool unwritten; /* something of it could not be written: it comes to nothing */
    struct build_cache_packers packers; /* at work on it */
    struct parallel_job *packing;       /* NULL: nobody is */
    bool partial;                       /* nothing but records of results changed, came or went */
    struct buf said;
};

/* Reads the cache, if there is a good one. From here on cli->said is noted. */
void build_cache_open(struct build_cache *c, struct cli *cli, const struct outdir *od,
                      const char *out);

/* Is everything as the last build found and left it? */
bool build_cache_holds(struct build_cache *c);

/* Is the site as it was left? Asked late, it costs no time: others are looking since the cache was
 * opened. `partial` is not certain before. */
bool build_cache_left_alone(struct build_cache *c);

/* Looks at all that the build will read; called before it does. */
void build_cache_look(struct build_cache *c);

/* A file as it was before it was read; NULL: it was not looked at. From build_cache_look on; may be
 * asked on several threads at once. */
const struct seen *build_cache_seen(const struct build_cache *c, const char *path);

void build_cache_pack_early(struct build_cache *c, const struct build_cache_packers *packers);
void build_cache_pack(struct build_cache *c, const struct build_cache_packers *packers);

/* After the site is in place. A cache that cannot be written is none. */
void build_cache_keep(struct build_cache *c, struct outdir *od, const struct outdir_stats *stats,
                      const struct build_words *now);

void build_cache_close(struct build_cache *c);

#endif
