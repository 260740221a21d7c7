#include "trainer/cards/card_output.h"

#include "trainer/cards/card_facts.h"
#include "trainer/cards/redact.h"
#include "trainer/cards/tool.h"

#include <string.h>
#include <sys/utsname.h>

#define NAMES_MAX (2 * CARDS_MAX + 1) /* a serial number and a UUID each, and the host */

struct names {
    struct redact_name items[NAMES_MAX];
    size_t n;
};

static void add_name(struct names *names, const char *text, enum fact_id kind)
{
    if (names->n < NAMES_MAX)
        names->items[names->n++] = (struct redact_name){text, fact_kinds[kind].key};
}

/* The names of a list "a, b". */
static void add_list(struct names *names, const char *list, enum fact_id kind, struct arena *arena)
{
    for (const char *at = list ? list : ""; *at;) {
        size_t n = strcspn(at, ",");
        add_name(names, arena_strndup(arena, at, n), kind);
        at += n;
        at += strspn(at, ", ");
    }
}

int card_output(const char *const *argv, const struct salt *salt, struct buf *out, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct names names = {.n = 0};
    struct utsname host;
    struct buf said;
    buf_init(&said, TOOL_OUTPUT_MAX);
    int rc = tool_output(argv, TOOL_TIMEOUT_MS, &said, err);
    if (rc == 0 && uname(&host) == 0)
        add_name(&names, host.nodename, FACT_HOST);
    if (rc == 0) {
        /* Serial numbers that stand in a column, where no label tells what they are. */
        const char *output = said.data;
        for (size_t i = 0; card_tools[i]; i++) {
            struct accelerator_facts facts = {0};
            if (!card_tools[i]->argv[0] || strcmp(card_tools[i]->argv[0], argv[0]) != 0)
                continue;
            card_facts_read(card_tools[i], output, &arena, &facts);
            add_list(&names, facts.of[FACT_ACCELERATOR_SERIAL].value, FACT_ACCELERATOR_SERIAL,
                     &arena);
            add_list(&names, facts.of[FACT_ACCELERATOR_UUID].value, FACT_ACCELERATOR_UUID, &arena);
        }
        redact(salt, said.data, names.items, names.n, &arena, out);
    }
    buf_release(&said);
    arena_release(&arena);
    return rc;
}
