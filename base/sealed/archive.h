/*
 * archive: `.tar.zst` files, written one way and read with suspicion.
 *
 * Written: canonical ustar (tar.h) in one zstd frame, level 9, one thread, window <= 8 MiB, and
 * the seal of the frame (zframe.h). The
 * same members give the same bytes on the same libraries; across zstd versions only the tar
 * inside stays the same, so identity is never taken from compressed bytes.
 *
 * Read: exactly one zstd frame around exactly one tar, both chosen by us and never guessed, so
 * that filters cannot nest. The frame's window is checked before anything is decompressed.
 * Regular files only: directories are dropped, every other kind of entry refuses the archive.
 * Names must pass tar_check_names(). Everything has a maximum (below); what is declared is
 * refused before it is allocated. Reading never writes to disk: contents go into an arena.
 *
 * Other forms that somebody may hand in (collector/submission/received.h) are taken apart here,
 * too, by one format of libarchive at a time and no filter: a zip whose headers were looked at
 * before, and a plain tar.
 *
 * archive.c alone calls libarchive (archive_library.h).
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/sealed/tar.h"
#include "base/signing/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARCHIVE_ENTRIES_MAX 20000              /* directories count */
#define ARCHIVE_MEMBER_MAX ((size_t)256 << 20) /* one file */
#define ARCHIVE_TOTAL_MAX ((size_t)1 << 30)    /* all files; callers may ask for less */
#define ARCHIVE_PACKED_MAX ((size_t)256 << 20) /* the .tar.zst itself */
#define ARCHIVE_WINDOW_MAX ((size_t)8 << 20)
/* All files, in packed sizes, where that is more than the floor: logs shrink to a fiftieth, and
 * only what is made to hurt shrinks to a thousandth. */
#define ARCHIVE_RATIO_MAX 1000
#define ARCHIVE_RATIO_FLOOR ((size_t)16 << 20)
/* What is packed is no larger than it was, but for a sixteenth and so many bytes: a block that
 * holds nothing costs time, too. */
#define ARCHIVE_GROWTH_SHARE 16
#define ARCHIVE_GROWTH_FLOOR ((size_t)64 << 10)

/* Append the archive of these members to `out`. They are sorted in place; names are checked. */
int archive_pack(struct tar_member *members, size_t n, struct buf *out, struct err *err);

struct archive_contents {
    struct tar_member *members; /* sorted by name */
    size_t n;
    char sha256[HASH_HEX_SIZE]; /* of the compressed bytes that were read */
    /* Are the tar bytes inside exactly those that archive_pack() would have made? If not, the
     * contents are still sound, but another reader may see something else in the file: owners,
     * times, extended headers, bytes after the end. */
    bool canonical;
    bool sealed; /* the frame is followed by its own digest (zframe.h), as archive_pack() writes */
};

/* ERR_INPUT "<path>: …" for everything that is refused. `total_max` <= ARCHIVE_TOTAL_MAX. */
int archive_unpack(struct bytes packed, const char *path, size_t total_max, struct arena *arena,
                   struct archive_contents *out, struct err *err);

/* `packed` bytes of what has `plain`: more than any packer makes of it? */
bool archive_is_padded(uint64_t packed, uint64_t plain);

/* What a member of a zip must be, as its headers say. */
struct archive_expected {
    const char *name; /* a folder's ends in '/' */
    size_t size;
    bool folder;
};

/*
 * The contents of a zip whose headers say exactly this, in this order (collector/submission/zip.h),
 * folders left out. Contents that have another length or CRC, or do not end where their header
 * says, are refused. Names are taken as they are.
 */
int archive_unzip(struct bytes zip, const char *path, const struct archive_expected *expected,
                  size_t n, struct arena *arena, struct archive_contents *out, struct err *err);

/* As archive_unpack, of a tar that nothing is wrapped around. "./" in front of names is taken off,
 * folders must have names as files have, and only zeros may stand behind the end. */
int archive_untar(struct bytes tar, const char *path, size_t total_max, struct arena *arena,
                  struct archive_contents *out, struct err *err);

/* Version of libarchive, and of the zstd that it uses ("" when unknown), at run time; NULL: there
 * is none. */
const char *archive_library_version(void);
const char *archive_zstd_library_version(void);
