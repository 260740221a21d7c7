/*
 * secrets: what files may hold that their owner would not publish: keys, tokens, passwords, names
 * and addresses of machines.
 *
 * A table of forms (secret_forms.h), looked for line by line, in time that goes with the length of
 * the text. It warns and decides nothing: it finds some of what is secret, and names some of what
 * is not.
 */
#pragma once

#include "base/arena.h"
#include "base/sealed/tar.h"

/* Append "<name>:<line>: <what>; <what>\n" for each line that has one, but not its text; at most
 * `most` of them. How many there are. */
size_t secrets_scan(const struct tar_member *files, size_t n, size_t most, struct buf *out);
