/* archive_file: an archive of these members as a file. */
#pragma once

#include "tests/unit/unit.h"

#include "base/files/file.h"
#include "base/sealed/archive.h"

static inline void write_archive(const char *path, struct tar_member *members, size_t n)
{
    struct buf packed;
    struct err err = ERR_INIT;
    buf_init(&packed, ARCHIVE_PACKED_MAX);
    if (archive_pack(members, n, &packed, &err) < 0 ||
        file_write(path, packed.data, packed.len, &err) < 0)
        fail_msg("%s", err.text);
    buf_release(&packed);
}
