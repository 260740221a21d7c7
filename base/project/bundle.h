/*
 * bundle: everything that the verdict on one result was made of, in one file.
 *
 * A plain ustar (base/sealed/tar.h) whose first member is BUNDLE, so that it is known by its first
 * bytes, and `tar -xf` unpacks it to a folder with records/ in it:
 *
 *   BUNDLE                     which result, and what its page says of it (struct bundle_about)
 *   archive/log.jsonl          the log of the site's archive, where it has one
 *   records/…                  the result, and what it was held to: its case, models, vendors,
 *                              accelerators, results that it was compared with, second runs
 *   records/signers/…          whose signatures counted
 *   records/evidence/… …       what these records name, as it is published
 *
 * Nothing else is asked for a verdict. A bundle is somebody's word: its records are no more ours
 * than its evidence is. Members become files of no disk (base/files/held.h).
 */
#pragma once

#include "base/project/project.h"
#include "base/records/verdict.h"
#include "base/sealed/tar.h"
#include "base/signing/signers.h"
#include "base/store/store.h"

#define BUNDLE_ENDING ".bundle.tar"
#define BUNDLE_ABOUT "BUNDLE"
#define BUNDLE_LOG "archive/" STORE_LOG_NAME
#define BUNDLE_RECORDS "records/"

/* All members of one, as they are written. */
#define BUNDLE_TOTAL_MAX ((size_t)192 << 20)
/* Other results of the case that are in it, without their evidence; of more none is. */
#define BUNDLE_PEERS_MAX 8
/* Of ids; a longer one and ".json" do not fit into ustar's field. */
#define BUNDLE_ID_MAX 95

struct bundle_about {
    int line;
    const char *result;       /* "vendor/case" */
    enum state state;         /* on its page */
    const char *tool, *rules; /* by which version of fpreport, and which rule set */
    const char *date;         /* of the site; NULL: site.json says none */
    long long peers;          /* other results of the case that were compared and are not here */
    const char **withheld; /* evidence of which files are withheld, so that it is not judged here */
    size_t n_withheld;
    const char **left_out; /* files that would have made it larger than BUNDLE_TOTAL_MAX */
    size_t n_left_out;
};

extern const struct shape bundle_shape;

struct bundle {
    struct bundle_about about;
    struct project project; /* points into this bundle */
    struct held_files files;
    struct store store;
    struct signers signers;
    const struct result *result;
};

/* "acme-tiny_llama.bundle.tar", as a site calls that of a result; NULL: it has none. */
const char *bundle_name(const struct result *r, struct arena *arena);

/* Does a file that begins so claim to be one? */
bool bundle_begins(struct bytes text);

/* Of its members, sorted by name. -1: at least one diagnostic of severity error. `path` is its name
 * in messages; everything is in the arena, or borrowed from the members. */
int bundle_open(const char *path, const struct tar_member *members, size_t n, struct arena *arena,
                struct bundle *out, struct diags *diags);
