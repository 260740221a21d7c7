/*
 * socket: TCP connections between ranks: listen, connect, whole messages out and in.
 *
 * Rank 0 is reached at one of several addresses, which one word lists ("10.0.0.5,192.168.1.5"):
 * whoever connects tries them in turn until `until`, since rank 0 may not be listening yet. Times
 * are clock_seconds(). Nothing here raises SIGPIPE; descriptors are closed by exec.
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define SOCKET_ADDRESS_MAX 512 /* bytes of a list of addresses */

/* A listener at `address` ("": every one of this machine) and `*port` (0: any free one, which is
 * then told). ERR_USAGE for what is no address, ERR_IO when it cannot be listened at. */
int socket_listen(const char *address, int *port, struct err *err);

/* The next that connects, or -1. Small messages go at once. */
int socket_accept(int listener);

/* One of `addresses` answers before `until`. ERR_IO when none does. */
int socket_connect(const char *addresses, int port, double until, struct err *err);

/* Where the other side of a connection is, as digits. */
void socket_peer(int fd, char *out, size_t size);

/* All addresses of this machine but loopback ones; "127.0.0.1" when there are no others. */
void socket_own_addresses(char *out, size_t size);

/* All of it, or false: the connection is closed or broken, or (received) not there by `until`.
 * INFINITY waits for ever. */
bool socket_send(int fd, const void *from, size_t n);
bool socket_receive(int fd, void *to, size_t n, double until);

/* Messages to one rank that leave while their sender goes on.
 *
 * A thread sends what was put in, in order; what is put in is copied. So two ranks that send to
 * each other at the same time never wait for each other, however long their messages are. */

struct outbox;

/* To this descriptor, which stays the caller's. */
int outbox_open(struct outbox **out, int fd, struct err *err);

/* ERR_IO when something before it could not be sent. */
int outbox_put(struct outbox *o, const void *from, size_t bytes, struct err *err);

/* When all has left, or cannot. NULL is allowed. */
void outbox_close(struct outbox *o);
