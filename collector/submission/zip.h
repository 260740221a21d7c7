/*
 * zip: look at a zip before anything in it is unpacked (PKWARE APPNOTE.TXT 6.3).
 *
 * A zip says everything twice, in its central directory and in front of each member, and readers
 * differ in whom they believe. Here both must say the same of each member (name, method, flags,
 * size, CRC, packed size), and the members must fill the file from its first byte to the central
 * directory, without gap and overlap, so that whoever goes from the front and whoever goes by the
 * directory come to the same members.
 *
 * Taken are regular files and folders, stored or deflated, with names that may stand in a
 * submission (base/sealed/tar.h). Refused are encryption, every other method, links, zip64 (which
 * nothing of 256 MiB needs), extra fields other than times and owners, a second end of the archive
 * in its comment, bytes behind it. Contents are not looked at: their CRC and length are whoever
 * unpacks them to hold to.
 */
#pragma once

#include "base/sealed/archive.h"

#include <stddef.h>

/* ERR_INPUT "<path>: …" for everything that is refused; else what is in the zip, in the order of
 * its bytes. At most ARCHIVE_ENTRIES_MAX members, ARCHIVE_MEMBER_MAX bytes in one. */
int zip_look(struct bytes zip, const char *path, struct arena *arena, struct archive_expected **out,
             size_t *n, struct err *err);
