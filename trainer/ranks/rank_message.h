/*
 * rank_message: what ranks say to each other at and after their meeting (rendezvous.h).
 *
 * A message is a byte of kind, two bytes of length (little endian), and that many bytes. It is sent
 * by one call, so that threads may send on one connection.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define RANK_BYTES_MAX 4096 /* that rank 0 has for everybody */

enum message_word {
    MESSAGE_HELLO = 'H',   /* struct rank_hello, packed */
    MESSAGE_START = 'B',   /* all are here; what rank 0 has for everybody */
    MESSAGE_ALIVE = 'A',   /* nothing is new */
    MESSAGE_END = 'E',     /* well; nothing follows */
    MESSAGE_FAILURE = 'F', /* the cause, and from rank 0 the whole sentence */
};

struct rank_message {
    enum message_word word;
    size_t n;
    unsigned char bytes[RANK_BYTES_MAX];
};

/* Who comes: strings are cut to what fits. */
struct rank_hello {
    int rank, world;
    char job[128];
    char device[128]; /* see rendezvous.h */
};

bool rank_say(int fd, enum message_word word, const void *bytes, size_t n);
bool rank_say_hello(int fd, const struct rank_hello *hello);

/* A whole message before `until` (socket.h), or false. */
bool rank_hear(int fd, struct rank_message *m, double until);
bool rank_hear_hello(int fd, struct rank_hello *hello, double until);
