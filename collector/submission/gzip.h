/*
 * gzip: a gzip file of one member, looked at before it is inflated (RFC 1952).
 *
 * gzip files can be joined, may have bytes behind them that some readers pass over, and
 * libarchive's reader of them asks neither for the CRC nor for the length. So the frame is taken
 * off here: what is left is one deflate stream that has to fill the file to the byte, and to have
 * the length and the CRC that the last eight bytes say. gzip_as_zip() has it as the only member of
 * a zip, whose reader in libarchive holds it to all three.
 */
#pragma once

#include "base/sealed/archive.h"

/*
 * One member, deflated, without other fields than a name, which is not read. `zip` is a zip's part
 * in front of its central directory (in `arena`), `member` what is expected in it. ERR_INPUT
 * "<path>: …".
 */
int gzip_as_zip(struct bytes gzip, const char *path, struct arena *arena, struct bytes *zip,
                struct archive_expected *member, struct err *err);
