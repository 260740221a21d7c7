#include "trainer/cards/redact.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define NAME_MIN 4 /* bytes; what is shorter stands in too many words */

struct redacting {
    const struct salt *salt;
    const struct redact_name *names;
    size_t n;
    struct arena *arena;
    struct buf *out;
};

static void put_redacted(struct redacting *r, const char *kind, const char *value, size_t n)
{
    const char *text = arena_strndup(r->arena, value, n);
    if (r->salt->hex)
        buf_printf(r->out, "salted:%s", salt_hash(r->salt, kind, text, r->arena));
    else
        buf_str(r->out, "hidden");
}

/* ---- labels ---------------------------------------------------------------------------------- */

static const struct {
    const char *word, *kind;
} labels[] = {
    {"serial", "accelerator_serial"},
    {"uuid", "accelerator_uuid"},
    {"unique id", "accelerator_uuid"},
    {"guid", "guid"},
    {"pdi", "pdi"},
    {"mac addr", "network_address"},
    {"vdie", "die"},
    {"ndie", "die"},
    {"die id", "die"},
    {"sn", "accelerator_serial"},
    {"s/n", "accelerator_serial"},
};

/* More of a label whose word has `n` bytes. Others may stand between that and the colon ("Serial
 * Number", "Serial No.", "Serial #"), but "sn" is the beginning of too many. */
static bool is_label(char c, size_t n)
{
    return text_is_blank(c) || (n > 2 && (isalpha((unsigned char)c) || c == '.' || c == '#'));
}

/* Where the value behind a label with such a word begins; NULL. */
static const char *labelled(const char *line, const char *end, const char **kind)
{
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        size_t n = strlen(labels[i].word);
        for (const char *at = line; at + n < end; at++) {
            if (strncasecmp(at, labels[i].word, n) != 0 ||
                (at > line && isalnum((unsigned char)at[-1]) &&
                 strcmp(labels[i].word, "uuid") != 0))
                continue;
            const char *colon = at + n;
            while (colon < end && is_label(*colon, n))
                colon++;
            *kind = labels[i].kind;
            if (colon < end && *colon == ':')
                return colon + 1;
        }
    }
    return NULL;
}

static bool is_no_secret(const char *value, size_t n)
{
    static const char *const words[] = {"", "n/a", "na", "none", "[n/a]", "unknown", "disabled"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncasecmp(value, words[i], n) == 0)
            return true;
    return false;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* "x" is a hexadecimal digit, everything else itself. */
static const struct {
    const char *shape, *kind;
} shapes[] = {
    {"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "accelerator_uuid"},
    {"xx:xx:xx:xx:xx:xx", "network_address"},
    {"xx:xx:xx:xx:xx:xx:xx:xx", "infiniband_guid"},
    {"xx:xx:xx:xx:xx:xx:xx:xx:xx:xx:xx:xx:xx:xx:xx:xx:xx:xx:xx:xx", "network_address"},
    {"xxxx:xxxx:xxxx:xxxx", "infiniband_guid"},
};

static bool is_inside_value(char c)
{
    return isalnum((unsigned char)c) || c == ':';
}

static size_t shaped(const char *at, const char *end, const char *shape)
{
    size_t n = strlen(shape);
    if ((size_t)(end - at) < n)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (shape[i] == 'x' ? !isxdigit((unsigned char)at[i]) : at[i] != shape[i])
            return 0;
    return at + n < end && is_inside_value(at[n]) ? 0 : n;
}

/* With one more word of capitals and its '-'; 0: there is none. */
static size_t longer_prefix(const char *at, const char *end, size_t prefix)
{
    size_t n = prefix;
    while (at + n < end && isupper((unsigned char)at[n]))
        n++;
    return n > prefix && at + n < end && at[n] == '-' ? n + 1 : 0;
}

/* Capitals and a '-' in front, as in "GPU-…" and "MIG-GPU-…", are part of a UUID. */
static size_t name_at(struct redacting *r, const char *line, const char *at, const char *end,
                      const char **kind)
{
    for (size_t i = 0; i < r->n; i++) {
        size_t n = strlen(r->names[i].text);
        *kind = r->names[i].kind;
        if (n >= NAME_MIN && (size_t)(end - at) >= n && memcmp(at, r->names[i].text, n) == 0)
            return n;
    }
    if (at > line && (is_inside_value(at[-1]) || at[-1] == '-'))
        return 0;
    size_t prefix = 0;
    do
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            size_t n = shaped(at + prefix, end, shapes[i].shape);
            *kind = shapes[i].kind;
            if (n)
                return prefix + n;
        }
    while ((prefix = longer_prefix(at, end, prefix)) != 0);
    return 0;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_plain(struct redacting *r, const char *line, const char *end)
{
    for (const char *at = line; at < end;) {
        const char *kind;
        size_t n = name_at(r, line, at, end, &kind);
        if (n)
            put_redacted(r, kind, at, n);
        else
            buf_char(r->out, *at);
        at += n ? n : 1;
    }
}

static bool has_name(struct redacting *r, const char *line, const char *end)
{
    const char *kind;
    for (const char *at = line; at < end; at++)
        if (name_at(r, line, at, end, &kind))
            return true;
    return false;
}

static void put_line(struct redacting *r, const char *line, const char *end)
{
    const char *kind, *value = labelled(line, end, &kind), *last = end;
    while (value && value < end && isspace((unsigned char)*value))
        value++;
    while (value && last > value && (isspace((unsigned char)last[-1]) || last[-1] == '|'))
        last--;
    /* A UUID inside of a longer text is found by its shape, and the text is kept. */
    if (!value || has_name(r, value, last) || is_no_secret(value, (size_t)(last - value))) {
        put_plain(r, line, end);
        return;
    }
    put_plain(r, line, value);
    put_redacted(r, kind, value, (size_t)(last - value));
    put_plain(r, last, end);
}

/* Before names are looked for: one that a control stands in would be whole without it. */
static char *without_controls(const char *text, struct arena *arena)
{
    char *copy = arena_strdup(arena, text), *to = copy;
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at >= 0x20 || *at == '\t' || *at == '\n')
            *to++ = *at;
    *to = '\0';
    return copy;
}

void redact(const struct salt *salt, const char *text, const struct redact_name *names, size_t n,
            struct arena *arena, struct buf *out)
{
    struct redacting r = {salt, names, n, arena, out};
    for (const char *line = without_controls(text, arena); *line;) {
        const char *end = strchrnul(line, '\n');
        put_line(&r, line, end);
        buf_char(out, '\n');
        line = *end ? end + 1 : end;
    }
}
