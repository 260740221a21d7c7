#include "base/records/sentence.h"

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
    if (strcmp(c->length, "j") == 0)
        return arena_printf(arena, c->spec, va_arg(args->ap, intmax_t));
    return arena_printf(arena, c->spec, va_arg(args->ap, int));
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
    if (strcmp(c->length, "j") == 0)
        return arena_printf(arena, c->spec, va_arg(args->ap, uintmax_t));
    return arena_printf(arena, c->spec, va_arg(args->ap, unsigned));
}

static struct sentence print_text(const struct conversion *c, struct arguments *args,
                                  sentence_find *find, void *context, struct arena *arena)
{
    int most = c->star ? va_arg(args->ap, int) : 0;
    const char *text = va_arg(args->ap, const char *);
    bool whole = strcmp(c->spec, "%s") == 0;
    const struct sentence *known = whole && find ? find(context, text) : NULL;
    if (known)
        return *known;
    return (struct sentence){.text = c->star ? arena_printf(arena, c->spec, most, text)
                                             : arena_printf(arena, c->spec, text)};
}

static struct sentence print_value(const struct conversion *c, struct arguments *args,
                                   sentence_find *find, void *context, struct arena *arena)
{
    if (c->kind == 's')
        return print_text(c, args, find, context, arena);
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

bool sentence_values(struct sentence *out, const char *fmt, va_list ap, sentence_find *find,
                     void *context, struct arena *arena)
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
                print_value(&c, &args, find, context, arena);
        s += n ? n : 2 - (s[1] == '\0');
    }
    va_end(args.ap);
    return known;
}
