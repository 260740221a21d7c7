/*
 * secrets: what a file may hold that its owner would not publish: keys, tokens, passwords, names
 * and addresses of machines.
 *
 * A table of forms, looked for line by line, in time that goes with the length of the text. It
 * warns and decides nothing: it finds some of what is secret, and names some of what is not.
 */
#ifndef COLLECTOR_SUBMISSION_SECRETS_H
#define COLLECTOR_SUBMISSION_SECRETS_H

#include "base/buf.h"
#include "base/bytes.h"

/* Append "<name>:<line>: <what>; <what>\n" for each line that has one, but not its text; at most
 * `most` of them. How many there are. */
size_t secrets_scan(const char *name, struct bytes text, size_t most, struct buf *out);

#endif
