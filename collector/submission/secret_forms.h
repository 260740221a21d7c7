/*
 * secret_forms: the forms of what may be secret, each looked for in one line.
 *
 * Exact, and slow: each form reads the line once or more. secrets.h asks only for those forms whose
 * anchors it has seen in the line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum secret_form {
    SECRET_KEY,
    SECRET_TOKEN,
    SECRET_ASSIGNED,
    SECRET_LOGIN,
    SECRET_MACHINE,
    SECRET_ADDRESS,
    SECRET_HARDWARE,
    SECRET_FORMS
};

#define SECRET_ALL_FORMS ((1U << SECRET_FORMS) - 1)

/* Of these forms (one bit each) those that the line has. */
unsigned secret_forms_in(const char *line, const char *end, unsigned which);

/* "a private key" */
const char *secret_form_words(enum secret_form form);
