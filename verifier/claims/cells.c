#include "verifier/claims/cells.h"

#include "base/figures/figure.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_MAX 1000000L /* more cards than anybody has */

/* A whole number at s, at most COUNT_MAX; returns its bytes, 0 when there is none. */
static size_t scan_count(const char *s, long *value)
{
    size_t n = 0;
    *value = 0;
    for (; text_is_digit(s[n]); n++)
        *value = *value > COUNT_MAX ? *value : *value * 10 + (s[n] - '0');
    return *value > COUNT_MAX ? 0 : n;
}

static const struct numeral {
    const char *text;
    long value;
} numerals[] = {
    {"单", 1}, {"一", 1}, {"二", 2}, {"两", 2}, {"双", 2}, {"三", 3},  {"四", 4},
    {"五", 5}, {"六", 6}, {"七", 7}, {"八", 8}, {"九", 9}, {"十", 10},
};

/* The Chinese numeral that ends at `end` (not before `s`): 四, 十六, 三十二. Returns its bytes. */
static size_t numeral_before(const char *s, const char *end, long *value)
{
    size_t n = 0;
    long place = 1;
    *value = 0;
    for (bool found = true; found && n < 9;) {
        found = false;
        for (size_t i = 0; i < sizeof numerals / sizeof numerals[0]; i++) {
            if ((size_t)(end - s) < n + 3 || memcmp(end - n - 3, numerals[i].text, 3) != 0)
                continue;
            if (numerals[i].value == 10)
                place = 10, *value += 10;
            else
                *value += place == 10 ? (numerals[i].value - 1) * 10 : numerals[i].value;
            n += 3;
            found = true;
            break;
        }
    }
    return n;
}

/* "(2x8)" or "(1x8*80G)": where it begins, or NULL. */
static const char *find_bracket(const char *s, struct configuration *out, const char **after)
{
    for (const char *at = strchr(s, '('); at; at = strchr(at + 1, '(')) {
        long a, b;
        const char *p = at + 1 + strspn(at + 1, " ");
        size_t n = scan_count(p, &a);
        p += n;
        p += strspn(p, " ");
        size_t times = text_starts(p, "×") ? strlen("×") : *p && strchr("xX*", *p);
        if (!n || !times)
            continue;
        p += times;
        p += strspn(p, " ");
        n = scan_count(p, &b);
        if (!n)
            continue;
        p += n;
        int decimals;
        if (*p == '*' && (n = figure_scan_number(p + 1, &out->card_memory, &decimals)) > 0)
            p += 1 + n + strspn(p + 1 + n, "GgBbi");
        p += strspn(p, " ");
        if (*p != ')')
            continue;
        out->by = a;
        out->of = b;
        *after = p + 1;
        return at;
    }
    return NULL;
}

/*
 * The node count in front of 机, of text that begins with the accelerator. Digits may run into the
 * accelerator's name ("H1004机"): then they are split where the bracket says, or not at all.
 */
static const char *scan_nodes(const char *s, const char *end, struct configuration *out)
{
    size_t n = numeral_before(s, end, &out->nodes);
    if (n)
        return end - n;
    const char *from = end;
    while (from > s && text_is_digit(from[-1]))
        from--;
    if (from == end)
        return NULL;
    if (from == s || from[-1] == ' ' || from[-1] == '-') {
        scan_count(from, &out->nodes);
        return from;
    }
    for (const char *cut = end - 1; cut >= from; cut--) {
        long nodes;
        scan_count(cut, &nodes);
        if (nodes && nodes == out->by && *cut != '0') {
            out->nodes = nodes;
            return cut;
        }
    }
    return end; /* cannot be told apart: no node count */
}

/* 机 and 卡 with their counts; returns the end of the accelerator, or NULL without them. */
static const char *scan_words(const char *s, struct arena *arena, struct configuration *out)
{
    const char *machine = strstr(s, "机"), *card = machine ? strstr(machine, "卡") : NULL;
    if (!card)
        return NULL;
    const char *from = machine + strlen("机"), *end = scan_nodes(s, machine, out);
    char *count = text_trim_n(arena, from, (size_t)(card - from));
    size_t n = scan_count(count, &out->cards);
    if (n == 0)
        n = numeral_before(count, count + strlen(count), &out->cards);
    return n == strlen(count) && n ? end : NULL;
}

static const struct stage {
    const char *text, *stage;
} stages[] = {
    {"pretrain", "pretrain"},  {"预训练", "pretrain"}, {"finetune", "finetune"},
    {"fine-tune", "finetune"}, {"微调", "finetune"},
};

/* The bracket behind the first one. */
static const char *find_stage(const char *s, struct arena *arena)
{
    const char *open = strchr(s, '(');
    const char *close = open ? strchr(open, ')') : NULL;
    if (!close)
        return NULL;
    const char *inside = text_trim_n(arena, open + 1, (size_t)(close - open - 1));
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (text_same(inside, stages[i].text))
            return stages[i].stage;
    return *inside ? inside : NULL;
}

/* Without the sign that only says "withheld", and without a hyphen before the node count. */
static const char *accelerator_of(const char *s, const char *end, struct arena *arena)
{
    char *name = text_trim_n(arena, s, (size_t)(end - s));
    size_t n = strlen(name);
    while (n && (name[n - 1] == '-' || name[n - 1] == ' '))
        name[--n] = '\0';
    return strspn(name, "/*\\-") == n ? "" : name;
}

/* "LBS=4, fp16": the first of these words that is a precision and nothing else; NULL. */
static const char *lone_precision(const char *s, const char *between, struct arena *arena)
{
    while (*s) {
        size_t n = strcspn(s, between);
        const char *word = text_fold(arena, text_trim_n(arena, s, n));
        if (precision_is_name(word, strlen(word)))
            return word;
        s += n + (s[n] != '\0');
    }
    return NULL;
}

bool configuration_parse(const char *text, struct arena *arena, struct configuration *out)
{
    *out = (struct configuration){.accelerator = "", .card_memory = NAN};
    char *s = figure_plain(arena, text ? text : "");
    const char *after = s + strlen(s);
    const char *bracket = find_bracket(s, out, &after);
    const char *words = bracket ? arena_strndup(arena, s, (size_t)(bracket - s)) : s;
    const char *end = scan_words(words, arena, out);
    if (!end && !bracket)
        return false;
    out->accelerator = accelerator_of(words, end ? end : words + strlen(words), arena);
    out->stage = bracket ? find_stage(after, arena) : NULL;
    out->precision = lone_precision(s, " ,;()", arena);
    if (out->stage && out->precision && text_same(out->stage, out->precision))
        out->stage = NULL;
    return true;
}

long configuration_cards(const struct configuration *c)
{
    if (c->by && c->of)
        return c->by * c->of;
    return c->nodes == 1 ? c->cards : 0;
}

struct plan_key {
    const char *text;
    size_t at; /* SIZE_MAX: does not count */
};

static const struct plan_key plan_keys[] = {
    {"TP", offsetof(struct plan, tensor)},
    {"PP", offsetof(struct plan, pipeline)},
    {"DP", offsetof(struct plan, data)},
    {"EP", offsetof(struct plan, expert)},
    {"CP", offsetof(struct plan, context)},
    {"SP", SIZE_MAX},
    {"VP", SIZE_MAX},
    {"SH", SIZE_MAX},
};

/* One group of a plan at s, as "TP8"; returns its bytes, 0 when there is none. */
static size_t scan_plan_group(const char *s, struct plan *out)
{
    for (size_t i = 0; i < sizeof plan_keys / sizeof plan_keys[0]; i++) {
        long value;
        if (strncasecmp(s, plan_keys[i].text, 2) != 0)
            continue;
        size_t n = scan_count(s + 2, &value);
        if (!n || value == 0)
            return 0;
        if (plan_keys[i].at != SIZE_MAX)
            memcpy((char *)out + plan_keys[i].at, &value, sizeof value);
        return n + 2;
    }
    return 0;
}

/* Groups in a row from s on; how many, and where they end. */
static size_t scan_plan(const char *s, struct plan *out, const char **end)
{
    size_t groups = 0;
    *out = (struct plan){0, 0, 0, 0, 0};
    for (size_t n; (n = scan_plan_group(s, out)) > 0; groups++) {
        s += n;
        *end = s;
        s += strspn(s, " ,_-");
    }
    return groups;
}

bool plan_parse(const char *text, struct arena *arena, struct plan *out)
{
    const char *s = figure_plain(arena, text), *end = s;
    return scan_plan(s, out, &end) > 0 && *end == '\0';
}

bool plan_find(const char *text, struct arena *arena, struct plan *out)
{
    const char *s = figure_plain(arena, text), *end;
    for (; *s; s++)
        if (scan_plan(s, out, &end) >= 2)
            return true;
    return false;
}

long plan_world(const struct plan *p)
{
    long world = 1;
    const long sizes[] = {p->tensor, p->pipeline, p->data, p->context};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        world = world > COUNT_MAX ? world : world * (sizes[i] ? sizes[i] : 1);
    return world;
}

/* A name is a word that is known: "精度" is accuracy, too. */
enum hyper_kind { HYPER_NUMBER, HYPER_FLOPS, HYPER_WORD, HYPER_NAME };

static const struct hyper_key {
    enum hyper_kind kind;
    size_t at;
    const char *names[6]; /* text_fold form, with '_' and '-' removed; until NULL */
} hyper_keys[] = {
    {HYPER_NUMBER,
     offsetof(struct hyperparameters, lbs),
     {"lbs", "localbatchsize", "localbs", "microbatchsize", "perdevicebs"}},
    {HYPER_NUMBER,
     offsetof(struct hyperparameters, gas),
     {"gas", "accumulate", "gradientaccumulatesteps"}},
    {HYPER_NUMBER, offsetof(struct hyperparameters, mpe), {"mpe", "seqlength"}},
    {HYPER_NUMBER, offsetof(struct hyperparameters, gbs), {"gbs", "globalbs", "globalbatchsize"}},
    {HYPER_FLOPS, offsetof(struct hyperparameters, theory_flops), {"theoryflops"}},
    {HYPER_WORD, offsetof(struct hyperparameters, precision), {"precision", "数据精度"}},
    {HYPER_NAME, offsetof(struct hyperparameters, precision), {"dtype", "torchdtype", "精度"}},
};

/* The name that ends at `end`: its words' letters without '_' ("global bs" is one name). */
static const char *name_before(const char *s, const char *end, struct arena *arena)
{
    while (end > s && end[-1] == ' ')
        end--;
    const char *from = end;
    while (from > s && (isalnum((unsigned char)from[-1]) || from[-1] == '_' || (from[-1] & 0x80)))
        from--;
    if (from - s >= 7 && from[-1] == ' ' && strncasecmp(from - 7, "global ", 7) == 0)
        from -= 7;
    char *name = text_fold(arena, arena_strndup(arena, from, (size_t)(end - from)));
    size_t n = 0;
    for (const char *c = name; *c; c++)
        if (*c != '_')
            name[n++] = *c;
    name[n] = '\0';
    return name;
}

static const struct hyper_key *find_key(const char *name)
{
    for (size_t i = 0; i < sizeof hyper_keys / sizeof hyper_keys[0]; i++)
        for (const char *const *known = hyper_keys[i].names; *known; known++)
            if (strcmp(*known, name) == 0)
                return &hyper_keys[i];
    /* "使得globalbatchsize": words of a sentence stand directly before the name. */
    const char *ascii = name + strlen(name);
    while (ascii > name && !(ascii[-1] & 0x80))
        ascii--;
    return ascii > name ? find_key(ascii) : NULL;
}

/* The factor that a letter behind a number stands for. */
static double unit_factor(char c, bool tokens)
{
    switch (c) {
    case 'K':
    case 'k':
        return tokens ? 1024 : 1e3;
    case 'M':
        return tokens ? 1024.0 * 1024 : 1e6;
    case 'T':
        return 1e12;
    default:
        return 1;
    }
}

static void set_number(struct hyperparameters *out, const struct hyper_key *key, const char *s,
                       struct arena *arena)
{
    double value;
    int decimals;
    size_t n = figure_scan_number(s, &value, &decimals);
    if (!n)
        return;
    bool letter = s[n] && strchr("KkMT", s[n]) != NULL, binary = letter && s[n + 1] == 'i';
    const char *behind = s + n + letter + binary;
    bool tokens = text_starts(behind + strspn(behind, " "), "token");
    double factor = letter ? unit_factor(s[n], key->kind != HYPER_FLOPS) : 1;
    if (tokens && key->at == offsetof(struct hyperparameters, gbs)) {
        const char *end = behind + strspn(behind, " ") + strlen("token");
        out->gbs_tokens = value * factor;
        out->gbs_tokens_text = arena_strndup(arena, s, (size_t)(end - s) + (*end == 's'));
        out->gbs_tokens_place = factor * figure_last_place(decimals);
        out->gbs_tokens_decimal = binary ? NAN : value * (letter ? unit_factor(s[n], false) : 1);
    } else {
        value *= factor;
        memcpy((char *)out + key->at, &value, sizeof value);
    }
}

static void set_word(struct hyperparameters *out, const struct hyper_key *key, enum hyper_kind kind,
                     const char *s, struct arena *arena)
{
    s += strspn(s, " ");
    const char *word = arena_strndup(arena, s, strcspn(s, " ,;()="));
    const char *folded = text_fold(arena, word);
    if (kind == HYPER_NAME && !precision_is_name(folded, strlen(folded)))
        return;
    memcpy((char *)out + key->at, &word, sizeof word);
}

void hyperparameters_parse(const char *text, struct arena *arena, struct hyperparameters *out)
{
    *out = (struct hyperparameters){.lbs = NAN,
                                    .gas = NAN,
                                    .mpe = NAN,
                                    .gbs = NAN,
                                    .gbs_tokens = NAN,
                                    .gbs_tokens_place = NAN,
                                    .gbs_tokens_decimal = NAN,
                                    .theory_flops = NAN};
    const char *s = figure_plain(arena, text ? text : "");
    const struct hyper_key *key = NULL;
    for (const char *at = strpbrk(s, "=:"); at; at = strpbrk(at + 1, "=:")) {
        const char *name = name_before(s, at, arena);
        if (*at == ':') { /* "precision: fp16"; sizes are written with '=' */
            const struct hyper_key *word = find_key(name);
            if (word && word->kind >= HYPER_WORD)
                set_word(out, word, HYPER_NAME, at + 1, arena);
            continue;
        }
        double ignored;
        int decimals;
        /* "GBS=128=256K tokens": what stands before the second '=' is the first one's value. */
        if (!figure_scan_number(name, &ignored, &decimals))
            key = find_key(name);
        const char *value = at + 1 + strspn(at + 1, " ");
        if (key && key->kind >= HYPER_WORD)
            set_word(out, key, key->kind, value, arena);
        else if (key)
            set_number(out, key, value, arena);
    }
    if (!out->precision)
        out->precision = lone_precision(s, ",;", arena);
}

const char *cells_fold_numbers(const char *text, struct arena *arena)
{
    static const char blanks[] = " \t\r\n";
    char *copy = arena_strdup(arena, text);
    for (char *at = copy; *at; at++)
        if (text_is_digit(*at) && strchr(blanks, at[1]) &&
            text_is_digit(at[1 + strspn(at + 1, blanks)]))
            at[1] = '_';
    return text_fold(arena, copy);
}

bool cells_hold(const char *text, const char *part)
{
    size_t n = strlen(part);
    if (!n)
        return true;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        bool before = at > text && text_is_digit(at[-1]) && text_is_digit(part[0]);
        bool behind = text_is_digit(at[n]) && text_is_digit(part[n - 1]);
        if (!before && !behind)
            return true;
    }
    return false;
}

bool cells_share_designator(const char *text, const char *name, bool letters, struct arena *arena)
{
    const char *folded = cells_fold_numbers(name, arena);
    for (const char *s = text; *s;) {
        size_t n = 0;
        while (isalnum((unsigned char)s[n]))
            n++;
        const char *word = text_fold(arena, arena_strndup(arena, s, n));
        bool tells = n >= 3 && strpbrk(word, "0123456789") &&
                     (!letters || strpbrk(word, "abcdefghijklmnopqrstuvwxyz"));
        if (tells && cells_hold(folded, word))
            return true;
        s += n ? n : 1;
    }
    return false;
}

bool config_name_parse(const char *text, struct arena *arena, struct config_name *out)
{
    const char *s = text ? strstr(text, "config_") : NULL;
    if (!s)
        return false;
    s += strlen("config_");
    struct plan ignored;
    for (size_t n; (n = scan_plan_group(s, &ignored)) > 0;)
        s += n;
    char *name = arena_strndup(arena, s, strcspn(s, ". ,，。"));
    char *last = strrchr(name, 'x');
    size_t n = last ? scan_count(last + 1, &out->cards) : 0;
    if (!n || last[1 + n])
        return false;
    *last = '\0';
    last = strrchr(name, 'x');
    n = last ? scan_count(last + 1, &out->nodes) : 0;
    if (!n || last[1 + n])
        return false;
    *last = '\0';
    out->accelerator = name;
    return true;
}

bool precision_is_name(const char *s, size_t n)
{
    static const char *const names[] = {"fp64", "fp32", "tf32", "fp16", "bf16",  "fp8",
                                        "int8", "int4", "amp",  "mix",  "mixed", "混合精度"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == n && memcmp(s, names[i], n) == 0)
            return true;
    return false;
}
