/*
 * bytes: a piece of memory with its length, borrowed from whoever made it (mostly an arena). The
 * bytes may be anything, NULs too.
 */
#pragma once

#include <stddef.h>

/* Bytes with a NUL behind them (not counted in len). */
struct bytes {
    const char *data;
    size_t len;
};
