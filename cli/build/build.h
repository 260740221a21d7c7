/*
 * build: everything under records/ verified, and the files of its site, handed to whoever wants
 * them: `build` puts them into a folder, `publish` compares them with one.
 *
 *     struct build b;
 *     int code = build_load(&b, cli, NULL, NULL);          // findings about the records are
 * printed if (build_emit(&b, sink, self, &err) < 0) …
 *     build_close(&b);
 *
 * The same records, templates and program give the same files in the same order.
 */
#pragma once

#include "base/files/file.h"
#include "base/project/project.h"
#include "base/records/verdict.h"
#include "base/store/store.h"
#include "cli/build/parts.h"
#include "cli/build/reuse.h"
#include "cli/cli.h"
#include "renderer/site/index/input.h"
#include "renderer/site/index/previous.h"
#include "renderer/templates/templates.h"

#define BUILD_DEFAULT_OUT "site"

struct build {
    struct cli *cli;
    struct project project;
    struct verdict *verdicts; /* one a result, in the order of project.results */
    struct templates templates;
    struct site_settings settings; /* records/site.json */
    struct site_previous previous; /* what changes are told since (previous.h) */
    struct site_previous history;  /* whose history goes on */
    bool has_previous, has_history;
    const char **unread; /* results of the history whose records cannot be read */
    size_t n_unread;
    struct withheld withheld; /* what the archive's log withholds */
    struct build_parts parts; /* that are handed out in place of submissions */
    bool refused;    /* the archive's log is not whole: what it withholds is not known; the signers
                        cannot be read: whose key counts is not known; or the folder is refused */
    bool unset;      /* records/site.json cannot be read */
    file_sink *emit; /* of build_emit */
    void *self;
    struct build_cache *cache; /* NULL: everything is verified and made */
    struct outdir *od;         /* with `cache`: where the site goes */
    struct build_reuse reuse;  /* with a cache that is not off */
    struct shard *shard;       /* whose files alone are made (site_shard.h); NULL: all */
    struct reuse pages;        /* the same, for files below pages/ */
};

/* Load cli_records() and verify; without cache all of it. `od` is begun. Returns an
 * exit code: EXIT_USAGE when there is nothing to build, EXIT_IO when the machine could not read all
 * of it (what is missing would be published as gone), EXIT_INPUT when some records are malformed
 * and left out; the rest can be emitted, unless `refused`. */
int build_load(struct build *b, struct cli *cli, struct build_cache *cache, struct outdir *od);

/* What it holds beside memory. */
void build_close(struct build *b);

/* Every file of the site. */
int build_emit(struct build *b, file_sink *emit, void *self, struct err *err);

/* The whole of `fpreport build`, in cmd_build.c: load, verify, write the folder, say so. */
int build_site(struct cli *cli, const char *out);
