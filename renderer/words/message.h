/*
 * message: one message of the table (messages.h): the words of its format with the values between
 * them, and its translation with the places of these values (private to renderer/words/messages.c).
 */
#ifndef RENDERER_WORDS_MESSAGE_H
#define RENDERER_WORDS_MESSAGE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

#define MESSAGE_VALUES_MAX 12

enum message_kind { MESSAGE_TEXT, MESSAGE_NUMBER, MESSAGE_SAID };

struct message {
    const char *format, *translation;
    const char *words[MESSAGE_VALUES_MAX + 1]; /* before, between and behind the values */
    size_t lengths[MESSAGE_VALUES_MAX + 1];
    enum message_kind kinds[MESSAGE_VALUES_MAX];
    size_t n_values;
    size_t own;    /* bytes of all words */
    size_t number; /* in the order of the tables, set by who reads them */
};

/* NULL, or what is wrong with one of the two. Both have to outlive the message. */
const char *message_make(struct message *m, const char *format, const char *translation,
                         struct arena *arena);

/* A piece of a text. */
struct message_value {
    const char *at;
    size_t len;
};

/* Could the text have been made by the format? Its values then, n_values of them. */
bool message_fits(const struct message *m, const char *text, size_t len,
                  struct message_value *values);

/* Two words of small letters: figures, names and addresses are in no language. */
bool message_is_prose(const char *text, size_t len);

/* The place that begins at s, "{2:said}" as 1 and true: its length; 0 when there is none. */
struct message_place {
    size_t value; /* from 0 */
    bool said;
};
size_t message_place(const char *s, struct message_place *out);

#endif
