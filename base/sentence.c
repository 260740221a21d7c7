#include "base/sentence.h"

#include "base/err.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#define SPEC_MAX 32

/* One conversion of a format: "%.2f", "%-5ld", "%.*s". */
struct conversion {
    char spec[SPEC_MAX]; /* as it stands */
    char length[3];      /* "", "l", "ll", "z" or "j" */
    char kind;
    bool star; /* the precision is an argument */
};

/* The bytes that it has; 0: a percent sign that begins none, or one that is not known. */
static size_t read_placeholder(const char *s, struct conversion *c)
{
    size_t n = 1 + strspn(s + 1, "-+#0 123456789.*"), m = strspn(s + n, "lzj");
    if (s[1] == '%' || m >= sizeof c->length || n + m + 1 >= SPEC_MAX || !s[n + m] ||
        !strchr("sdiuxXeEfgGc", s[n + m]))
        return 0;
    *c = (struct conversion){.kind = s[n + m], .star = memchr(s, '*', n) != NULL};
    memcpy(c->spec, s, n + m + 1);
    memcpy(c->length, s + n, m);
    return n + m + 1;
}

size_t sentence_places(const char *fmt)
{
    struct conversion c;
    size_t places = 0;
    for (const char *s = strchr(fmt, '%'); s; s = strchr(s, '%')) {
        size_t n = read_placeholder(s, &c);
        places += n > 0;
        s += n ? n : 1 + (s[1] == '%');
    }
    return places;
}

/* Each argument has to be taken by its type. A list that is handed down may not be used by the
 * caller as well, so that it is a pointer here. */
struct arguments {
    va_list ap;
};

static const char *print_signed(const struct conversion *c, struct arguments *args,
                                struct arena *arena)
{
    if (strcmp(c->length, "l") == 0)
        return arena_printf(arena, c->spec, va_arg(args->ap, long));
    if (strcmp(c->length, "ll") == 0)
        return arena_printf(arena, c->spec, va_arg(args->ap, long long));
    if (strcmp(c->length, "z") == 0)
        return arena_printf(arena, c->spec, va_arg(args->ap, ssize_t));
    return strcmp(c->length, "j") == 0 ? arena_printf(arena, c->spec, va_arg(args->ap, intmax_t))
                                       : arena_printf(arena, c->spec, va_arg(args->ap, int));
}

static const char *print_unsigned(const struct conversion *c, struct arguments *args,
                                  struct arena *arena)
{
    if (strcmp(c->length, "l") == 0)
        return arena_printf(arena, c->spec, va_arg(args->ap, unsigned long));
    if (strcmp(c->length, "ll") == 0)
        return arena_printf(arena, c->spec, va_arg(args->ap, unsigned long long));
    if (strcmp(c->length, "z") == 0)
        return arena_printf(arena, c->spec, va_arg(args->ap, size_t));
    return strcmp(c->length, "j") == 0 ? arena_printf(arena, c->spec, va_arg(args->ap, uintmax_t))
                                       : arena_printf(arena, c->spec, va_arg(args->ap, unsigned));
}

static struct sentence print_value(const struct conversion *c, struct arguments *args,
                                   struct arena *arena)
{
    if (c->kind == 's') {
        int most = c->star ? va_arg(args->ap, int) : 0;
        const char *text = va_arg(args->ap, const char *);
        bool whole = strcmp(c->spec, "%s") == 0;
        const struct sentence *known = whole ? sentence_of(arena, text) : NULL;
        if (known)
            return *known;
        if (whole && text)
            return (struct sentence){.text = arena_strdup(arena, text)};
        return (struct sentence){.text = c->star ? arena_printf(arena, c->spec, most, text)
                                                 : arena_printf(arena, c->spec, text)};
    }
    if (strchr("dic", c->kind))
        return (struct sentence){.text = print_signed(c, args, arena)};
    if (strchr("uxX", c->kind))
        return (struct sentence){.text = print_unsigned(c, args, arena)};
    if (!c->star)
        return (struct sentence){.text = arena_printf(arena, c->spec, va_arg(args->ap, double))};
    int places = va_arg(args->ap, int);
    return (struct sentence){.text =
                                 arena_printf(arena, c->spec, places, va_arg(args->ap, double))};
}

bool sentence_values(struct sentence *out, const char *fmt, va_list ap, struct arena *arena)
{
    struct arguments args;
    struct conversion c;
    bool known = true;
    va_copy(args.ap, ap);
    for (const char *s = strchr(fmt, '%'); s && known; s = strchr(s, '%')) {
        size_t n = read_placeholder(s, &c);
        known = n ? out->n_values < SENTENCE_VALUES_MAX : s[1] == '%';
        if (n && known)
            *(struct sentence *)ARENA_PUSH(arena, out->values, out->n_values) =
                print_value(&c, &args, arena);
        s += n ? n : 2 - (s[1] == '\0');
    }
    va_end(args.ap);
    return known;
}

/* The text of a format whose values are known. */
static const char *join_values(const struct sentence *made, struct arena *arena)
{
    struct conversion c;
    size_t room = strlen(made->format) + 1, i = 0;
    for (size_t k = 0; k < made->n_values; k++)
        room += strlen(made->values[k].text);
    char *text = arena_room(arena, room), *to = text;
    for (const char *s = made->format; *s;) {
        size_t n = strcspn(s, "%");
        to = mempcpy(to, s, n);
        s += n;
        if (*s && (n = read_placeholder(s, &c)) > 0)
            to = stpcpy(to, made->values[i++].text);
        else if (*s)
            *to++ = '%';
        s += !*s ? 0 : n ? n : 2;
    }
    *to = '\0';
    return text;
}

/* ---- texts by their addresses ------------------------------------------------------------ */

#define CHAINS_FIRST 256 /* a power of two; doubled when there are more texts than chains */

struct said_text {
    struct said_text *next;
    struct sentence made;
};

struct said_texts {
    struct said_text **chains;
    size_t n_chains, n_texts;
};

/* Multiplied by 2^64 / phi, so that texts which lie at even distances spread over all chains. */
static struct said_text **chain_of(const struct said_texts *said, const char *text)
{
    uint64_t mixed = (uint64_t)(uintptr_t)text * 0x9E3779B97F4A7C15u;
    return &said->chains[(mixed >> 32) & (said->n_chains - 1)];
}

const struct sentence *sentence_of(const struct arena *arena, const char *text)
{
    const struct said_text *t = arena->said ? *chain_of(arena->said, text) : NULL;
    while (t && t->made.text != text)
        t = t->next;
    return t ? &t->made : NULL;
}

static void put_in_chain(const struct said_texts *said, struct said_text *t)
{
    struct said_text **chain = chain_of(said, t->made.text);
    t->next = *chain;
    *chain = t;
}

static void grow(struct said_texts *said, struct arena *arena)
{
    const struct said_texts old = *said;
    said->n_chains = old.n_chains ? 2 * old.n_chains : CHAINS_FIRST;
    said->chains = arena_array(arena, said->n_chains, sizeof(struct said_text *));
    for (size_t i = 0; i < old.n_chains; i++)
        for (struct said_text *t = old.chains[i], *next; t; t = next) {
            next = t->next;
            put_in_chain(said, t);
        }
}

const char *sentence_note(struct arena *arena, const struct sentence *made)
{
    if (!arena->said)
        arena->said = arena_alloc(arena, sizeof *arena->said);
    struct said_text *t = arena_alloc(arena, sizeof *t);
    t->made = *made;
    if (arena->said->n_texts++ >= arena->said->n_chains)
        grow(arena->said, arena);
    put_in_chain(arena->said, t);
    return made->text;
}

/* A text that is handed on is itself. */
static const char *known_text(struct arena *arena, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    const char *text = strcmp(fmt, "%s") == 0 ? va_arg(again, const char *) : NULL;
    va_end(again);
    return text && sentence_of(arena, text) ? text : NULL;
}

const char *sentence_say_with(struct arena *arena, const char *fmt, va_list ap)
{
    struct sentence made = {.format = fmt, .text = known_text(arena, fmt, ap)};
    if (made.text)
        return made.text;
    if (strcmp(fmt, "%s") == 0 || !sentence_values(&made, fmt, ap, arena))
        return arena_vprintf(arena, fmt, ap);
    made.text = join_values(&made, arena);
    return strchr(fmt, '%') ? sentence_note(arena, &made) : made.text;
}

const char *sentence_say_cut(struct arena *arena, const char *fmt, va_list ap)
{
    struct err cut;
    const char *text = sentence_say_with(arena, fmt, ap);
    if (strlen(text) < ERR_TEXT_MAX)
        return text;
    err_set(&cut, ERR_INPUT, "%s", text);
    return arena_strdup(arena, cut.text);
}

const char *sentence_say(struct arena *arena, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *text = sentence_say_with(arena, fmt, ap);
    va_end(ap);
    return text;
}

static struct sentence copy(const struct sentence *of, struct arena *arena)
{
    struct sentence fresh = {.text = arena_strdup(arena, of->text), .n_values = of->n_values};
    if (of->format)
        fresh.format = arena_strdup(arena, of->format);
    fresh.values = arena_array(arena, of->n_values, sizeof *fresh.values);
    for (size_t i = 0; i < of->n_values; i++)
        fresh.values[i] = copy(&of->values[i], arena);
    return fresh;
}

const char *sentence_carry(struct arena *to, const struct arena *from, const char *text)
{
    const struct sentence *made = sentence_of(from, text);
    if (!made)
        return arena_strdup(to, text);
    const struct sentence fresh = copy(made, to);
    return sentence_note(to, &fresh);
}

bool sentence_says(const struct sentence *made, const char *format)
{
    const char *own = made->format ? made->format : made->text;
    bool named = made->n_values && strncmp(own, "%s: ", 4) == 0;
    bool found = strcmp(own, format) == 0 || (named && strcmp(own + 4, format) == 0);
    for (size_t i = 0; i < made->n_values && !found; i++)
        found = sentence_says(&made->values[i], format);
    return found;
}
