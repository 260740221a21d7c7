#include "collector/submission/secret_forms.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#define VALUE_LEAST 6  /* characters of a value that is worth a word */
#define TOKEN_LEAST 16 /* of a token behind its head */

static char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* Every byte of a log comes by here several times: no calls for one. */
static bool is_ascii_letter(char c)
{
    return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

static bool is_letter_or_digit(char c)
{
    return is_ascii_letter(c) || text_is_digit(c);
}

static bool is_value(char c)
{
    return is_letter_or_digit(c) || c == '+' || c == '/' || c == '_' || c == '.' || c == '-';
}

static bool is_secret_name_char(char c)
{
    return is_letter_or_digit(c) || c == '_' || c == '-';
}

static size_t value_length(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && is_value(at[n]))
        n++;
    return n;
}

/* Between a name and its value. */
static bool is_between(char c)
{
    return c == ' ' || c == ':' || c == '=' || c == '"' || c == '\'' || c == '\t';
}

/* Behind a name: `=`, `: "` and the like, then a value. */
static bool is_set(const char *at, const char *end, size_t least)
{
    bool sign = false;
    for (; at < end && is_between(*at); at++)
        sign = sign || *at == '=' || *at == ':';
    return sign && value_length(at, end) >= least;
}

/* memmem() by the first character: AddressSanitizer looks at all of the text at each memmem(). */
static const char *find_secret_name(const char *at, const char *end, const char *text)
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
    return (size_t)(to - from) >= n && ascii_lower(to[-1]) == ending[n - 1] &&
           strncasecmp(to - n, ending, n) == 0;
}

/* API_KEY=…, "password": "…" */
static bool is_assigned(const char *line, const char *end)
{
    static const char *const endings[] = {"_key",   "-key",     "apikey", "token",
                                          "secret", "password", "passwd", "credentials"};
    for (const char *at = line; at < end; at++) {
        const char *from = at;
        while (at < end && is_secret_name_char(*at))
            at++;
        if (at == from || !is_ascii_letter(at[-1]) || !is_set(at, end, VALUE_LEAST))
            continue;
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
            if (ends_with(from, at, endings[i]))
                return true;
    }
    return false;
}

static bool has_token(const char *line, const char *end)
{
    static const char *const heads[] = {"ghp_",  "gho_",    "github_pat_", "hf_", "glpat-",
                                        "AKIA",  "xoxb-",   "xoxp-",       "sk-", "nvapi-",
                                        "ya29.", "Bearer ", "dckr_pat_"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t n = strlen(heads[i]);
        for (const char *at = line; (at = find_secret_name(at, end, heads[i])); at += n)
            if ((at == line || !is_secret_name_char(at[-1])) &&
                value_length(at + n, end) >= TOKEN_LEAST)
                return true;
    }
    return false;
}

static bool has_private_key(const char *line, const char *end)
{
    return find_secret_name(line, end, "PRIVATE KEY-----") != NULL;
}

/* scheme://name:password@host */
static bool has_login(const char *line, const char *end)
{
    for (const char *at = line; (at = find_secret_name(at, end, "//"));) {
        at += 2;
        if (at - line < 3 || at[-3] != ':')
            continue;
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
    while (*at < end && text_is_digit(**at)) {
        int value = 0;
        const char *digits = *at;
        for (; *at < end && text_is_digit(**at) && *at - digits < 4; ++*at)
            value = value * 10 + (**at - '0');
        if (*at - digits > 3 || value > 255)
            return false;
        parts++;
        if (parts == 4 || *at == end || **at != '.')
            break;
        ++*at;
    }
    bool ends = *at == end || (!is_secret_name_char(**at) && **at != '.');
    bool local = *at - from > 4 && (strncmp(from, "127.", 4) == 0 || strncmp(from, "0.0.", 4) == 0);
    return parts == 4 && ends && !local;
}

static bool has_address(const char *line, const char *end)
{
    for (const char *at = line; at < end; at++) {
        bool begins = at == line || (!is_secret_name_char(at[-1]) && at[-1] != '.');
        const char *behind = at;
        if (begins && text_is_digit(*at) && take_address(&behind, end))
            return true;
    }
    return false;
}

static bool is_hex_digit(char c)
{
    return text_is_digit(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'f');
}

static bool is_mark(char c)
{
    return c == ':' || c == '.';
}

/* Does a chain of hexadecimal groups begin here? Not in the middle of another, but behind the name
 * of an adapter, as NCCL writes them: eth0:fe80::1, eth0.100:fe80::1, mac-aa:bb:cc:dd:ee:ff. */
static bool begins_groups(const char *line, const char *at)
{
    if (at == line || !(is_secret_name_char(at[-1]) || is_mark(at[-1])))
        return true;
    bool other = false; /* a letter that is no digit of them */
    const char *back = at - 1;
    char sign = *back;
    if ((sign != ':' && sign != '-') || back == line || !is_secret_name_char(back[-1]))
        return false;
    for (; back > line && (is_letter_or_digit(back[-1]) ||
                           (sign == ':' && (is_secret_name_char(back[-1]) || back[-1] == '.')));
         back--)
        other = (back[-1] != '.' && !is_hex_digit(back[-1])) || other;
    return other;
}

/* Is the word before it (`mac: "`, `ether `) one of these? */
static bool is_behind(const char *line, const char *at, const char *const words[])
{
    while (at > line && at[-1] && strchr("\"' \t=:-", at[-1]))
        at--;
    const char *from = at;
    while (from > line && is_letter_or_digit(from[-1]))
        from--;
    for (size_t i = 0; words[i]; i++)
        if (strlen(words[i]) == (size_t)(at - from) && ends_with(from, at, words[i]))
            return true;
    return false;
}

/* How many groups of so many digits each, with one sign between them, and is a letter among them?
 * 0: other groups, or more behind them. */
static int even_groups(const char *at, const char *end, size_t digits, char sign, bool *letter)
{
    *letter = false;
    for (int n = 1;; n++) {
        size_t i = 0;
        for (; at < end && is_hex_digit(*at); at++, i++)
            *letter = *letter || is_ascii_letter(*at);
        if (i != digits)
            return 0;
        if (at == end || *at != sign)
            return at == end || !(is_secret_name_char(*at) || *at == ':') ? n : 0;
        at++;
    }
}

static int lettered_groups(const char *at, const char *end, size_t digits, char sign)
{
    bool letter;
    int n = even_groups(at, end, digits, sign, &letter);
    return letter ? n : 0;
}

static bool is_time(const int pair[3])
{
    return pair[0] < 24 && pair[1] < 60 && pair[2] <= 60;
}

/* Six pairs of digits: a date and a time, the year at either end, or two times. */
static bool is_clock_digits(const char *at)
{
    int pair[6];
    for (int i = 0; i < 6; i++, at += 3)
        pair[i] = (at[0] - '0') * 10 + at[1] - '0';
    bool month = pair[1] >= 1 && pair[1] <= 12;
    bool day = (pair[2] >= 1 && pair[2] <= 31) || (pair[0] >= 1 && pair[0] <= 31);
    return is_time(pair + 3) && ((month && day) || is_time(pair));
}

/* But for everybody's and nobody's. */
static bool is_six_pairs(const char *line, const char *at, const char *end)
{
    static const char *const names[] = {"ether", "mac", "hwaddr", NULL};
    static const char everybody[] = "ff:ff:ff:ff:ff:ff", nobody[] = "00:00:00:00:00:00";
    const size_t len = sizeof everybody - 1;
    bool letter;
    if (even_groups(at, end, 2, ':', &letter) != 6 && even_groups(at, end, 2, '-', &letter) != 6)
        return false;
    if (strncasecmp(at, everybody, len) == 0 || strncmp(at, nobody, len) == 0)
        return false;
    return letter || !is_clock_digits(at) || is_behind(line, at, names);
}

/* Six pairs, eight or twenty of InfiniBand, four fours of a GUID. */
static bool is_hardware(const char *line, const char *at, const char *end)
{
    int pairs = lettered_groups(at, end, 2, ':');
    return is_six_pairs(line, at, end) || pairs == 8 || pairs == 20 ||
           lettered_groups(at, end, 4, ':') == 4;
}

/* node_guid: 0x…, of sixteen digits */
static bool has_guid(const char *line, const char *end)
{
    static const char *const names[] = {"guid", NULL};
    enum { DIGITS = 16 };
    for (const char *at = line; (at = find_secret_name(at, end, "0x"));) {
        const char *digits = at += 2;
        while (at < end && is_hex_digit(*at))
            at++;
        if (at - digits == DIGITS && (at == end || !is_secret_name_char(*at)) &&
            is_behind(line, digits - 2, names))
            return true;
    }
    return false;
}

/* An address of IPv6 that machines have: global, of a network of one's own, or of a link; in C++,
 * add::ed has the form of one. */
static bool is_address6(const char *line, const char *at, const char *end)
{
    (void)line;
    if (at[4] != ':')
        return false;
    char text[INET6_ADDRSTRLEN] = "";
    struct in6_addr address;
    size_t n = 0, groups = 0;
    for (; at + n < end && n < sizeof text - 1 && (is_hex_digit(at[n]) || is_mark(at[n])); n++)
        groups += is_hex_digit(at[n]) && (n == 0 || at[n - 1] == ':');
    if (at + n < end && is_secret_name_char(at[n]))
        return false;
    while (n > 1 && (at[n - 1] == '.' || (at[n - 1] == ':' && at[n - 2] != ':')))
        n--; /* of the sentence */
    memcpy(text, at, n);
    text[n] = '\0';
    if (n < 5 || text[4] != ':' || inet_pton(AF_INET6, text, &address) != 1)
        return false;
    unsigned first = address.s6_addr[0], second = address.s6_addr[1];
    bool own = (first & 0xFE) == 0xFC, link = first == 0xFE && (second & 0xC0) == 0x80;
    return own || link || ((first & 0xE0) == 0x20 && groups > 2);
}

/* Behind two digits or four: few places of a log get as far as here. */
static bool has_sign_behind(const char *at, const char *end)
{
    return end - at >= 5 && (at[2] == ':' || at[2] == '-' || at[4] == ':');
}

static bool has_groups(const char *line, const char *end,
                       bool (*is)(const char *line, const char *at, const char *end))
{
    for (const char *at = line; at < end; at++)
        if (is_hex_digit(*at) && has_sign_behind(at, end) && begins_groups(line, at) &&
            is(line, at, end))
            return true;
    return false;
}

static bool has_any_address(const char *line, const char *end)
{
    return has_address(line, end) || has_groups(line, end, is_address6);
}

static bool has_hardware(const char *line, const char *end)
{
    return has_groups(line, end, is_hardware) || has_guid(line, end);
}

/* Where the value behind a name begins; NULL: none of at least `least` characters. */
static const char *secret_value(const char *at, const char *end, size_t least)
{
    if (!is_set(at, end, least))
        return NULL;
    while (strchr("\"' \t=:", *at))
        at++;
    return at;
}

/* gpu17, node.example: a word with neither is what logs say of a processor ("host: cpu"). */
static bool is_machine(const char *at, const char *end)
{
    size_t n = value_length(at, end), letters = 0, others = 0;
    for (size_t i = 0; i < n; i++) {
        letters += is_ascii_letter(at[i]);
        others += text_is_digit(at[i]) || at[i] == '.' || at[i] == '-';
    }
    return letters && others && n >= 3;
}

/* hostname=NAME, "host": "NAME" */
static bool has_host(const char *line, const char *end)
{
    enum { LEAST = 3 };
    for (const char *at = line; end - at >= 4; at++) {
        if (ascii_lower(*at) != 'h')
            continue;
        bool begins = at == line || !is_letter_or_digit(at[-1]);
        if (end - at >= 8 && strncasecmp(at, "hostname", 8) == 0 && is_set(at + 8, end, LEAST))
            return true;
        const char *value =
            begins && end - at > 4 && strncasecmp(at, "host", 4) == 0 && !is_secret_name_char(at[4])
                ? secret_value(at + 4, end, LEAST)
                : NULL;
        if (value && is_machine(value, end))
            return true;
    }
    return false;
}

/* NAME.corp, NAME.example.internal: endings that only a network of one's own has. */
static bool has_inner_name(const char *line, const char *end)
{
    static const char *const endings[] = {".corp", ".internal", ".intranet", ".lan",
                                          ".localdomain"};
    for (const char *at = line; at < end; at++) {
        const char *from = at;
        bool dot = false;
        for (; at < end && (is_letter_or_digit(*at) || *at == '-' || *at == '.'); at++)
            dot = dot || *at == '.';
        if (!dot || !is_ascii_letter(at[-1]) || !is_letter_or_digit(*from) ||
            (from > line && from[-1] == '_'))
            continue;
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
            if (ends_with(from, at, endings[i]))
                return true;
    }
    return false;
}

static bool has_secret_name(const char *line, const char *end)
{
    return has_host(line, end) || has_inner_name(line, end);
}

/* In the order of enum secret_form. */
static const struct {
    const char *what;
    bool (*has)(const char *line, const char *end);
} forms[] = {
    {"a private key", has_private_key},
    {"an access token", has_token},
    {"a key, token or password that is set", is_assigned},
    {"a name and password in an address", has_login},
    {"the name of a machine", has_secret_name},
    {"the address of a machine", has_any_address},
    {"the hardware address of a machine", has_hardware},
};

_Static_assert(sizeof forms / sizeof *forms == SECRET_FORMS, "a row for each form");

unsigned secret_forms_in(const char *line, const char *end, unsigned which)
{
    unsigned found = 0;
    for (unsigned i = 0; i < SECRET_FORMS; i++)
        if (which >> i & 1)
            found |= (unsigned)forms[i].has(line, end) << i;
    return found;
}

const char *secret_form_words(enum secret_form form)
{
    return forms[form].what;
}
