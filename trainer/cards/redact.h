/*
 * redact: a tool's output without what names a card or a machine.
 *
 * Replaced by "salted:<hash>" (salt.h), so that the same name is the same everywhere:
 *   - what stands behind a label with "Serial", "SN", "S/N", "UUID", "GUID", "Unique ID", "PDI",
 *     "MAC" or "Die";
 *   - what has the shape of a UUID, with or without a prefix ("GPU-…", "MIG-GPU-…"), of a hardware
 *     address (six pairs; InfiniBand's 20) or of a GUID (four fours, eight pairs), wherever it
 *     stands;
 *   - names that are given: the machine's, serial numbers of a column without a label.
 * Serial numbers and UUIDs are hashed as the facts of that name are, so that both can be compared.
 * Without a salt they are "hidden". Controls but newlines are left out, too.
 */
#pragma once

#include "base/arena.h"
#include "trainer/cards/salt.h"

#include <stddef.h>

/* A name that is known to be one, and the kind that it is hashed as (a fact's key). */
struct redact_name {
    const char *text, *kind;
};

void redact(const struct salt *salt, const char *text, const struct redact_name *names, size_t n,
            struct arena *arena, struct buf *out);
