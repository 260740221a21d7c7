/* What a vendor's tool prints, read by every row of the table, and rid of names. */
#include "tests/fuzz/fuzz.h"

#include "trainer/cards/card_facts.h"
#include "trainer/cards/redact.h"

#include <stdlib.h>
#include <string.h>

#define NAME "1650000000001"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct redact_name names[] = {{NAME, "accelerator_serial"}};
    static const struct salt none = {.reason = "none"};
    struct arena arena = ARENA_INIT;
    const char *text = arena_strndup(&arena, (const char *)data, size);
    struct buf out;
    for (size_t i = 0; card_tools[i]; i++) {
        struct accelerator_facts facts = {0};
        card_facts_read(card_tools[i], text, &arena, &facts);
    }
    buf_init(&out, (size_t)16 << 20);
    redact(&none, text, names, 1, &arena, &out);
    if (strstr(out.data, NAME))
        abort();
    buf_release(&out);
    arena_release(&arena);
    return 0;
}
