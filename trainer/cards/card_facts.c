#include "trainer/cards/card_facts.h"

#include "trainer/cards/redact.h"
#include "trainer/cards/tool.h"

#include <math.h>
#include <string.h>
#include <sys/utsname.h>

/* What one card says. */
struct card {
    const char *of[FACT_KINDS];
};

struct said_of_cards {
    const char *machine[FACT_KINDS]; /* what is said once, whatever the number of cards */
    struct card *cards;
    size_t n;
};

/* What one line says. */
struct line_facts {
    struct card card;
    double number; /* of the card; NaN: it does not say */
};

/* A word in the place of a value. */
static bool says_no_value(const char *text, size_t n)
{
    static const char *const words[] = {"-", "n/a", "na", "[n/a]", "none", "unknown", "err!"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncasecmp(text, words[i], n) == 0)
            return true;
    return false;
}

/* What a pattern found, as far as it was not said before; false when nothing of it is a card's. */
static bool take_card_fact(const struct card_tool *t, const struct pattern_found *f,
                           struct arena *arena, struct said_of_cards *said,
                           struct line_facts *found)
{
    bool any = false;
    for (size_t i = 0; i < CARD_FIELDS; i++) {
        enum fact_id id = card_field_facts[i];
        struct span text = f->text[i];
        if (!(f->has & UINT32_C(1) << i) || id == FACT_KINDS)
            continue;
        if (card_fields.rows[i].kind == PATTERN_READING)
            text.n = span_find(text, "."); /* whole degrees, as all tools but one print them */
        bool once = id == FACT_ACCELERATOR_DRIVER || id == FACT_ACCELERATOR_RUNTIME ||
                    (id == FACT_ACCELERATOR_FIRMWARE && t->one_firmware);
        const char **to = once ? &said->machine[id] : &found->card.of[id];
        if (*to || !text.n || text.n > CARD_VALUE_MAX || says_no_value(text.p, text.n))
            continue;
        *to = arena_strndup(arena, text.p, text.n);
        any = any || !once;
    }
    return any;
}

/* The facts of a line; false when it has none of a card. */
static bool take_card_line(const struct card_tool *t, const struct pattern_set *patterns,
                           struct span line, struct arena *arena, struct said_of_cards *said,
                           struct line_facts *found)
{
    struct pattern_found f;
    bool any = false;
    *found = (struct line_facts){.number = NAN};
    for (size_t i = 0; (i = pattern_set_match(patterns, line, i, &f)) != PATTERN_NONE; i++) {
        any = take_card_fact(t, &f, arena, said, found) || any;
        if (isnan(found->number))
            found->number = pattern_number(&f, CARD_NUMBER);
    }
    return any;
}

/* Cards stand one behind the other: the next one begins with the line that every card has, or where
 * something is said again, for of a card with an error that line may be another. */
static bool begins_card(const struct card_tool *t, const struct said_of_cards *said,
                        const struct card *found)
{
    if (said->n == 0 || found->of[t->begins])
        return true;
    for (enum fact_id i = 0; i < FACT_KINDS; i++)
        if (found->of[i] && said->cards[said->n - 1].of[i])
            return true;
    return false;
}

static void keep_card_fact(const struct card_tool *t, const struct line_facts *line,
                           struct arena *arena, struct said_of_cards *said)
{
    const struct card *found = &line->card;
    double number = line->number;
    size_t at = t->by_number ? (number >= 0 && number < CARDS_MAX ? (size_t)number : CARDS_MAX)
                : begins_card(t, said, found) ? said->n
                                              : said->n - 1;
    if (at >= CARDS_MAX)
        return;
    while (said->n <= at)
        *(struct card *)ARENA_PUSH(arena, said->cards, said->n) = (struct card){{NULL}};
    for (enum fact_id i = 0; i < FACT_KINDS; i++)
        if (found->of[i] && !said->cards[at].of[i])
            said->cards[at].of[i] = found->of[i];
}

/* "-" for a card that does not tell; NULL when none does. */
static const char *joined(const struct said_of_cards *said, enum fact_id id, struct arena *arena)
{
    bool any = false, same = true;
    struct buf list = BUF_INIT(CARDS_MAX * (CARD_VALUE_MAX + 2));
    for (size_t i = 0; i < said->n; i++) {
        const char *one = said->cards[i].of[id], *first = said->cards[0].of[id];
        any = any || one;
        same = same && one && first && strcmp(one, first) == 0;
        buf_printf(&list, "%s%s", i ? ", " : "", one ? one : "-");
    }
    const char *out = !any ? NULL
                      : same && fact_kinds[id].class == FACT_STABLE
                          ? said->cards[0].of[id]
                          : arena_strdup(arena, list.data);
    buf_release(&list);
    return out;
}

/* A row that cannot be compiled says nothing: the tests compile those of the table, and a record's
 * are looked at when it is read. */
static void read_lines(const struct card_tool *t, const char *output, struct arena *arena,
                       struct said_of_cards *said)
{
    struct card_lines lines;
    struct err err = ERR_INIT;
    if (card_lines_compile(t, arena, &lines, &err) < 0)
        return;
    for (struct span rest = span_of(output); rest.n;) {
        struct span line = span_trim(span_cut(&rest, '\n'));
        struct line_facts found;
        if (line.n <= CARD_LINE_MAX && take_card_line(t, lines.facts, line, arena, said, &found))
            keep_card_fact(t, &found, arena, said);
    }
}

bool card_facts_read(const struct card_tool *t, const char *output, struct arena *arena,
                     struct accelerator_facts *out)
{
    struct said_of_cards said = {{NULL}, NULL, 0};
    bool any = false;
    if (t->not_of && strstr(output, t->not_of))
        return false;
    read_lines(t, output, arena, &said);
    for (enum fact_id i = 0; i < FACT_KINDS; i++) {
        const char *value = said.machine[i] ? said.machine[i] : joined(&said, i, arena);
        if (value)
            out->of[i] = (struct accelerator_fact){value, NULL};
        any = any || value;
    }
    if (said.n)
        out->of[FACT_ACCELERATOR_COUNT] =
            (struct accelerator_fact){arena_printf(arena, "%zu", said.n), NULL};
    return any;
}

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
    struct buf said = BUF_INIT(TOOL_OUTPUT_MAX);
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
