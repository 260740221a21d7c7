/*
 * messages: what the verifier says, in the language of a page.
 *
 * A text comes as the English that verdicts hold, with what it was made of (base/sentence.h): its
 * format, by which its row is found (base/sentence.h), and its values. A text without values is its
 * own format. On a Chinese page the row's Chinese is put together with the values; nothing is taken
 * apart.
 *
 * The rows are those of the program. A project's own table, MESSAGES_FILE below its templates, is
 * laid over them and has only what it says otherwise:
 *
 *     {"schema": "fpreport.messages/1",
 *      "messages": {"the loss is %s, others state %s": "损失为 {1}，其他厂商填报为 {2}"}}
 *
 * One that leaves a value of its format out, or names one that the format does not have, ends the
 * build with file, line and message. What has no row, as what a library says of a file, stays as it
 * is and is marked as foreign, so that a page can say which language it is in.
 */
#pragma once

#include "base/sentence.h"
#include "renderer/templates/templates.h"
#include "renderer/words/strings.h"

#define MESSAGES_FILE "site/messages.json"

struct messages {
    struct words *rows; /* by their formats; some stand there twice */
    size_t n;
};

int messages_load(struct messages *out, const struct words *rows, size_t n_rows,
                  const struct templates *templates, struct arena *arena, struct err *err);

/* A piece of a text; foreign: in English, on a page that is not. */
struct message_part {
    const char *text;
    bool foreign;
};

/* The text in the language of the page; `made` NULL, or of another text: it is its own format; `m`
 * NULL: there are no rows. Returns the number of parts, which live in the arena; none of them is
 * empty. */
size_t messages_parts(const struct messages *m, enum page_lang lang, const char *english,
                      const struct sentence *made, struct arena *arena, struct message_part **out);

/* The same in one piece, for pages that cannot mark a language. */
const char *messages_text(const struct messages *m, enum page_lang lang, const char *english,
                          const struct sentence *made, struct arena *arena);
