#include "base/secrets.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define VALUE_LEAST 6 /* characters of a value that is worth a word */

static bool is_value(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("+/_.-", c));
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static size_t value_length(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && is_value(at[n]))
        n++;
    return n;
}

/* Behind a name: `=`, `: "` and the like, then a value. */
static bool is_set(const char *at, const char *end, size_t least)
{
    bool sign = false;
    for (; at < end && strchr("\"' \t=:", *at) && *at; at++)
        sign = sign || *at == '=' || *at == ':';
    return sign && value_length(at, end) >= least;
}

/* memmem() by the first character: AddressSanitizer looks at all of the text at each memmem(). */
static const char *find(const char *at, const char *end, const char *text)
{
    size_t n = strlen(text);
    for (; at < end && (at = memchr(at, *text, (size_t)(end - at))); at++)
        if ((size_t)(end - at) >= n && memcmp(at, text, n) == 0)
            return at;
    return NULL;
}

static bool ends_with(const char *from, const char *to, const char *ending)
{
    size_t n = strlen(ending);
    return (size_t)(to - from) >= n && strncasecmp(to - n, ending, n) == 0;
}

/* API_KEY=…, "password": "…" */
static bool is_assigned(const char *line, const char *end)
{
    static const char *const endings[] = {"_key",   "-key",     "apikey", "token",
                                          "secret", "password", "passwd", "credentials"};
    for (const char *at = line; at < end; at++) {
        const char *from = at;
        while (at < end && is_name(*at))
            at++;
        for (size_t i = 0; i < sizeof endings / sizeof *endings && at > from; i++)
            if (ends_with(from, at, endings[i]) && is_set(at, end, VALUE_LEAST))
                return true;
    }
    return false;
}

static bool has_token(const char *line, const char *end)
{
    static const char *const heads[] = {"ghp_",  "gho_",    "github_pat_", "hf_", "glpat-",
                                        "AKIA",  "xoxb-",   "xoxp-",       "sk-", "nvapi-",
                                        "ya29.", "Bearer ", "dckr_pat_"};
    enum { TOKEN_LEAST = 16 };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t n = strlen(heads[i]);
        for (const char *at = line; (at = find(at, end, heads[i])); at += n)
            if ((at == line || !is_name(at[-1])) && value_length(at + n, end) >= TOKEN_LEAST)
                return true;
    }
    return false;
}

static bool has_private_key(const char *line, const char *end)
{
    return find(line, end, "PRIVATE KEY-----") != NULL;
}

/* scheme://name:password@host */
static bool has_login(const char *line, const char *end)
{
    for (const char *at = line; (at = find(at, end, "://"));) {
        at += 3;
        bool colon = false;
        for (; at < end && !strchr("/ \t\"'", *at) && *at != '@'; at++)
            colon = colon || *at == ':';
        if (at < end && *at == '@' && colon)
            return true;
    }
    return false;
}

/* Four numbers up to 255 with dots between them, and no more; *at goes behind it. */
static bool take_address(const char **at, const char *end)
{
    const char *from = *at;
    int parts = 0;
    while (*at < end && isdigit((unsigned char)**at)) {
        int value = 0;
        const char *digits = *at;
        for (; *at < end && isdigit((unsigned char)**at) && *at - digits < 4; ++*at)
            value = value * 10 + (**at - '0');
        if (*at - digits > 3 || value > 255)
            return false;
        parts++;
        if (parts == 4 || *at == end || **at != '.')
            break;
        ++*at;
    }
    bool ends = *at == end || (!is_name(**at) && **at != '.');
    bool local = *at - from > 4 && (strncmp(from, "127.", 4) == 0 || strncmp(from, "0.0.", 4) == 0);
    return parts == 4 && ends && !local;
}

static bool has_address(const char *line, const char *end)
{
    for (const char *at = line; at < end; at++) {
        bool begins = at == line || (!is_name(at[-1]) && at[-1] != '.');
        const char *behind = at;
        if (begins && isdigit((unsigned char)*at) && take_address(&behind, end))
            return true;
    }
    return false;
}

static bool has_host(const char *line, const char *end)
{
    enum { LEAST = 3 };
    for (const char *at = line; end - at >= 8; at++)
        if (strncasecmp(at, "hostname", 8) == 0 && is_set(at + 8, end, LEAST))
            return true;
    return false;
}

static const struct {
    const char *what;
    bool (*has)(const char *line, const char *end);
} forms[] = {
    {"a private key", has_private_key},
    {"an access token", has_token},
    {"a key, token or password that is set", is_assigned},
    {"a name and password in an address", has_login},
    {"the name of a machine", has_host},
    {"the address of a machine", has_address},
};

static const char *what_is_in(const char *line, const char *end)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].has(line, end))
            return forms[i].what;
    return NULL;
}

size_t secrets_scan(const char *name, struct bytes text, size_t most, struct buf *out)
{
    size_t n = 0, number = 1;
    const char *stop = text.data + text.len;
    for (const char *line = text.data; line < stop; number++) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        const char *what = what_is_in(line, end);
        if (what && n++ < most)
            buf_printf(out, "%s:%zu: %s\n", name, number, what);
        line = end + 1;
    }
    return n;
}
