#include "verifier/claims/spelled.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ----------------------------------------------------------------------------------- */

static bool holds(const char *x, const char *y, struct arena *arena)
{
    const char *a = cells_fold_numbers(x, arena), *b = cells_fold_numbers(y, arena);
    return cells_hold(a, b) || cells_hold(b, a);
}

/* ---- versions -------------------------------------------------------------------------------- */

/* The next run of digits and points with a point in it; its length, 0 at the end. */
static size_t next_version(const char **at)
{
    for (; **at; (*at)++) {
        size_t n = strspn(*at, "0123456789.");
        if (n && memchr(*at, '.', n) && **at != '.')
            return n;
        *at += n ? n - 1 : 0;
    }
    return 0;
}

static bool begins(const char *x, size_t n, const char *y, size_t m)
{
    return n <= m && strncmp(x, y, n) == 0 && (n == m || y[n] == '.');
}

/* False as well where either holds no version: `any` tells. */
static bool share_version(const char *x, const char *y, bool *any)
{
    size_t n, m;
    for (const char *a = x; (n = next_version(&a)) != 0; a += n)
        for (const char *b = y; (m = next_version(&b)) != 0; b += m) {
            *any = true;
            if (begins(a, n, b, m) || begins(b, m, a, n))
                return true;
        }
    return false;
}

static bool same_version(const char *x, const char *y, struct arena *arena)
{
    bool any = false, shared = share_version(x, y, &any);
    return any ? shared : holds(x, y, arena);
}

/* ---- precisions ------------------------------------------------------------------------------ */

static const char *plain_precision(const char *text, struct arena *arena)
{
    static const struct {
        const char *spelling, *name;
    } rows[] = {{"bfloat16", "bf16"}, {"float16", "fp16"}, {"half", "fp16"}, {"float32", "fp32"}};
    const char *folded = text_fold(arena, text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (text_ends(folded, rows[i].spelling))
            return rows[i].name;
    return folded;
}

/* What mixes formats says something else than the format that parameters have. */
static bool is_mixed(const char *folded)
{
    return strstr(folded, "amp") || strpbrk(folded, ",+");
}

static bool same_precision(const char *x, const char *y, struct arena *arena)
{
    const char *a = plain_precision(x, arena), *b = plain_precision(y, arena);
    return is_mixed(a) || is_mixed(b) || strcmp(a, b) == 0;
}

/* ---- systems --------------------------------------------------------------------------------- */

/* The next word of a name: letters, also those of other scripts; its length, 0 at the end. */
static size_t next_word(const char **at)
{
    while (**at && !isalpha((unsigned char)**at) && (unsigned char)**at < 0x80)
        (*at)++;
    size_t n = 0;
    while (isalpha((unsigned char)(*at)[n]) || (unsigned char)(*at)[n] >= 0x80)
        n++;
    return n;
}

static bool has_spelled_word(const char *text, const char *word, size_t n)
{
    size_t len;
    for (const char *at = text; (len = next_word(&at)) != 0; at += len)
        if (len == n && strncasecmp(at, word, n) == 0)
            return true;
    return false;
}

static bool is_service_pack(const char *word, size_t n)
{
    return n == 2 && strncasecmp(word, "SP", n) == 0;
}

/* Is each word of the name in the other one? What says how long it is maintained is none, nor is
 * the service pack, which service_pack() compares. */
static bool has_words_of(const char *text, const char *name)
{
    size_t n;
    bool any = false;
    for (const char *at = name; (n = next_word(&at)) != 0; at += n) {
        bool support = (n == 3 && strncasecmp(at, "LTS", n) == 0) || is_service_pack(at, n);
        if (!support && !has_spelled_word(text, at, n))
            return false;
        any = any || !support;
    }
    return any;
}

/* The first number of a name; its length, 0 where there is none. */
static size_t first_number(const char **at)
{
    *at += strcspn(*at, "0123456789");
    return strspn(*at, "0123456789.");
}

/* Of "openEuler 20.03 (LTS-SP3)" 3; 0: it says none. */
static long service_pack(const char *text)
{
    size_t n;
    for (const char *at = text; (n = next_word(&at)) != 0; at += n)
        if (is_service_pack(at, n))
            return strtol(at + n, NULL, 10);
    return 0;
}

/* By the words of the name that /etc/os-release has, where people use another. */
static const char *in_full(const char *text, struct arena *arena)
{
    static const struct {
        const char *used, *name;
    } rows[] = {{"RHEL", "red-hat-enterprise-linux"}, {"银河麒麟", "Kylin"}, {"麒麟", "Kylin"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = strcasestr(text, rows[i].used);
        if (at)
            text = arena_printf(arena, "%.*s%s %s", (int)(at - text), text, rows[i].name,
                                at + strlen(rows[i].used));
    }
    return text;
}

/* "CentOS Linux 7 (Core)" and "centos7.6", "Ubuntu 22.04.3 LTS" and "Ubuntu 22.04 LTS". */
static bool same_system(const char *a, const char *b, struct arena *arena)
{
    const char *x = in_full(a, arena), *y = in_full(b, arena);
    if (holds(x, y, arena))
        return true;
    const char *p = x, *q = y;
    size_t n = first_number(&p), m = first_number(&q);
    long pack = service_pack(x), other = service_pack(y);
    return n && m && (!pack || !other || pack == other) &&
           (begins(p, n, q, m) || begins(q, m, p, n)) && (has_words_of(x, y) || has_words_of(y, x));
}

static const char *plain_kernel(const char *text, struct arena *arena)
{
    const char *folded = text_fold(arena, text);
    return text_starts(folded, "linux") ? folded + strlen("linux") : folded;
}

/* ---- models ---------------------------------------------------------------------------------- */

/* A size, a rate, a form or a generation that many models have: "80GB", "60GHz" of "2.60GHz",
 * "HBM3", "SXM4", "12th", the "C86" of Hygon. */
static bool tells_no_model(const char *word, size_t n)
{
    static const char *const units[] = {"g",   "gb", "gib", "mib", "w", "ghz",
                                        "mhz", "st", "nd",  "rd",  "th"};
    static const char *const forms[] = {"hbm", "sxm", "gddr", "ddr", "pcie", "gen", "c86"};
    size_t digits = strspn(word, "0123456789");
    for (size_t i = 0; digits && i < sizeof units / sizeof *units; i++)
        if (strlen(units[i]) == n - digits && strncasecmp(word + digits, units[i], n - digits) == 0)
            return true;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strncasecmp(word, forms[i], strlen(forms[i])) == 0)
            return true;
    return false;
}

static const char *without_sizes(const char *text, struct arena *arena)
{
    char *copy = arena_strdup(arena, text);
    for (char *at = copy; *at;) {
        size_t n = 0;
        while (isalnum((unsigned char)at[n]))
            n++;
        if (n && tells_no_model(at, n))
            memset(at, ' ', n);
        at += n ? n : 1;
    }
    return copy;
}

/* nvidia-smi of before 2022 ends a long name in "...": what is behind it is not known. */
static bool is_cut_of(const char *x, const char *y, struct arena *arena)
{
    const char *a = text_fold(arena, x);
    size_t n = strlen(a);
    return n > 6 && text_ends(a, "...") &&
           strstr(text_fold(arena, y), arena_strndup(arena, a, n - 3));
}

static bool same_model(const struct audit *a, const char *x, const char *y, struct arena *arena)
{
    const struct accelerator *p = audit_card(a, x), *q = audit_card(a, y);
    return (p && p == q) || holds(x, y, arena) || is_cut_of(x, y, arena) ||
           is_cut_of(y, x, arena) ||
           cells_share_designator(without_sizes(y, arena), x, false, arena);
}

/* ---- libraries ------------------------------------------------------------------------------- */

struct library {
    const char *name, *version;
};

/* "CUDA 13.0" or "cuda==13.0", folded; false for what has no name or no version. */
static bool read_library(char *item, struct library *out, struct arena *arena)
{
    size_t letters = 0;
    while (isalpha((unsigned char)item[letters]))
        letters++;
    const char *version = item + letters + strspn(item + letters, "=-v");
    size_t n = strspn(version, "0123456789.");
    *out = (struct library){arena_strndup(arena, item, letters), arena_strndup(arena, version, n)};
    return letters && n;
}

/* Those of a list with commas or semicolons. */
static struct library *read_libraries(const char *text, size_t *n, struct arena *arena)
{
    struct library *all = NULL, one;
    char *list = text_fold(arena, text), *rest = NULL;
    *n = 0;
    for (char *item = strtok_r(list, ",;", &rest); item; item = strtok_r(NULL, ",;", &rest))
        if (read_library(item, &one, arena))
            *(struct library *)ARENA_PUSH(arena, all, *n) = one;
    return all;
}

/* Of libraries that only one names nothing is known; without one that both do they are texts. */
static bool same_libraries(const char *x, const char *y, struct arena *arena)
{
    size_t n, m;
    const struct library *a = read_libraries(x, &n, arena), *b = read_libraries(y, &m, arena);
    bool any = false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++) {
            size_t one = strlen(a[i].version), other = strlen(b[k].version);
            if (strcmp(a[i].name, b[k].name) != 0)
                continue;
            any = true;
            if (!begins(a[i].version, one, b[k].version, other) &&
                !begins(b[k].version, other, a[i].version, one))
                return false;
        }
    return any || holds(x, y, arena);
}

/* ---- numbers --------------------------------------------------------------------------------- */

#define MEMORY_SLACK 1.1 /* GB taken for GiB, and what a driver keeps for itself */

/* Of a list "-, 40536, 81920" any: a machine may have cards of several kinds. */
static bool same_memory(const char *x, const char *y)
{
    for (const char *a = x; *a; a += strcspn(a, ","), a += strspn(a, ", "))
        for (const char *b = y; *b; b += strcspn(b, ","), b += strspn(b, ", ")) {
            double p = strtod(a, NULL), q = strtod(b, NULL);
            if (p > 0 && p <= q * MEMORY_SLACK && q <= p * MEMORY_SLACK)
                return true;
        }
    return false;
}

/* Each word of one is looked for in all of the other: a fact may have 12 KB and so may a bullet, of
 * which a page may have 1000. */
#define LENGTHS_MAX 1000000 /* of both, multiplied: a line beside a long list, not two of these */

bool spelled_same(enum same kind, const char *x, const char *y, const struct audit *a,
                  struct arena *arena)
{
    if (strlen(x) * strlen(y) > LENGTHS_MAX)
        return text_same(x, y);
    switch (kind) {
    case SAME_TEXT:
        return holds(x, y, arena);
    case SAME_SYSTEM:
        return same_system(x, y, arena);
    case SAME_KERNEL:
        return holds(plain_kernel(x, arena), plain_kernel(y, arena), arena);
    case SAME_VERSION:
        return same_version(x, y, arena);
    case SAME_MODEL:
        return same_model(a, x, y, arena);
    case SAME_LIBRARIES:
        return same_libraries(x, y, arena);
    case SAME_NUMBER:
    case SAME_FITS:
        return strtod(x, NULL) == strtod(y, NULL);
    case SAME_MEMORY:
        return same_memory(x, y);
    case SAME_PRECISION:
        return same_precision(x, y, arena);
    case SAME_COMMIT:
        return text_starts(x, y) || text_starts(y, x);
    }
    return true;
}
