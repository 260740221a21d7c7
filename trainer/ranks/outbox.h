/*
 * outbox: messages to one rank that leave while their sender goes on.
 *
 * A thread sends what was put in, in order; what is put in is copied. So two ranks that send to
 * each other at the same time never wait for each other, however long their messages are.
 */
#pragma once

#include "base/err.h"

#include <stddef.h>

struct outbox;

/* To this descriptor, which stays the caller's. */
int outbox_open(struct outbox **out, int fd, struct err *err);

/* ERR_IO when something before it could not be sent. */
int outbox_put(struct outbox *o, const void *from, size_t bytes, struct err *err);

/* When all has left, or cannot. NULL is allowed. */
void outbox_close(struct outbox *o);
