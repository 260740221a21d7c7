/*
 * conversation: samples of LLaVA's JSON files.
 *
 *   {"id": …, "image": "00453/004539375.jpg", "conversations": [
 *      {"from": "human", "value": "Render a summary.\n<image>"}, {"from": "gpt", "value": "…"}]}
 *
 * A file is one array of such objects, or one object a line. `image` names a file below a folder;
 * a text alone has none. Other keys are ignored. Each object is read by itself, so that a file may
 * have as many as it likes, up to CONVERSATION_FILE_MAX bytes.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/err.h"

#include <stdbool.h>

#define CONVERSATION_FILE_MAX ((size_t)2 << 30)
#define CONVERSATION_IMAGE_NAME_MAX 1024
#define CONVERSATION_PLACE "<image>" /* where the image stands in a text */

struct turn {
    const char *from, *value;
};

struct conversation {
    const char *image; /* NULL: none */
    struct turn *turns;
    size_t n;
};

/* Does it name a file below a folder, and nothing beside that? */
bool conversation_is_name_below(const char *name);

/* Receives each sample of a file; -1 after setting err ends the reading. What `c` points to is gone
 * afterwards. */
typedef int conversation_sink(void *context, const struct conversation *c, struct err *err);

/* 0, or -1: `err` is set, or a diagnostic added for JSON that is malformed. Messages name `file`,
 * the line and the sample. */
int conversations_parse(const char *file, struct bytes in, conversation_sink *sink, void *context,
                        struct diags *diags, struct err *err);
