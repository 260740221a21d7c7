#include "verifier/mlperf/log/mllog.h"

#include "base/text.h"
#include "verifier/mlperf/log/json_walk.h"

#include <math.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define TOKEN_N (sizeof MLLOG_TOKEN - 1)
#define LOOKED_AT ((size_t)1 << 20)

/* The members of a record that are asked for, and the place of all others. */
enum member { MEMBER_TIME_MS, MEMBER_KEY, MEMBER_VALUE, MEMBER_METADATA, MEMBER_OTHER, MEMBERS };

/* As they were found; p NULL: missing. */
struct members {
    struct span at[MEMBERS];
};

#define GUESSED_MAX 8 /* members of a record, or of metadata */
#define GUESS_WORDS 2
#define NOTED_MAX 8 /* members of metadata; of more, none is noted */

/* What stood in front of the value of such a member in a record before, from the quote of its name
 * on: nearly always all records of a log have the same names in the same order. */
struct guess {
    uint64_t text[GUESS_WORDS], mask[GUESS_WORDS];
    size_t n; /* 0: nothing */
    size_t name_n;
    enum member member;
};

/* The name of a member, and where its value begins. */
struct named {
    size_t n; /* of the name, with its quotes */
    enum member member;
    const char *value; /* NULL: it is no member */
};

struct reader {
    struct mllog *log;
    const struct mllog_names *names;
    struct arena *arena;
    const char *end; /* of the file */
    double before;   /* time_ms of the record before; NaN */
    struct span key; /* of the record before, without quotes, and its name */
    uint32_t name;
    struct guess guesses[GUESSED_MAX], guesses_metadata[GUESSED_MAX];
    struct mllog_noted noted[NOTED_MAX]; /* of the record at hand */
    size_t n_noted;
};

#ifdef __SSE2__
/* Of 16 places from `p` on, those whose byte is the first of the mark, and the fourth behind it. */
static inline __m128i token_places(const char *p)
{
    const __m128i first = _mm_set1_epi8(MLLOG_TOKEN[0]), fourth = _mm_set1_epi8(MLLOG_TOKEN[3]);
    return _mm_and_si128(_mm_cmpeq_epi8(_mm_loadu_si128((const void *)p), first),
                         _mm_cmpeq_epi8(_mm_loadu_si128((const void *)(p + 3)), fourth));
}
#endif

/* 64 places at a time, of which those are looked at. */
static const char *find_token(const struct reader *r, const char *from)
{
#ifdef __SSE2__
    for (; (size_t)(r->end - from) >= 64 + TOKEN_N; from += 64) {
        const __m128i places[] = {token_places(from), token_places(from + 16),
                                  token_places(from + 32), token_places(from + 48)};
        const __m128i any =
            _mm_or_si128(_mm_or_si128(places[0], places[1]), _mm_or_si128(places[2], places[3]));
        for (size_t i = 0; i < 4 && _mm_movemask_epi8(any); i++)
            for (unsigned bits = (unsigned)_mm_movemask_epi8(places[i]); bits; bits &= bits - 1) {
                const char *at = from + 16 * i + __builtin_ctz(bits);
                if (memcmp(at, MLLOG_TOKEN, TOKEN_N) == 0)
                    return at;
            }
    }
#endif
    return memmem(from, (size_t)(r->end - from), MLLOG_TOKEN, TOKEN_N);
}

/* White space of Latin-1 that is no line end. */
static inline bool is_latin1_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == 0x0B || c == 0x0C || (c >= 0x1C && c <= 0x1F) ||
           c == 0x85 || c == 0xA0;
}

static const char *skip_white(const char *p)
{
    while (is_latin1_space((unsigned char)*p))
        p++;
    return p;
}

static const char *json_line_end(const struct reader *r, const char *from)
{
    while (from < r->end && *from != '\n' && *from != '\r')
        from++;
    return from;
}

static enum member member_of_plain_name(struct span name)
{
    switch (name.n) {
    case 3:
        return memcmp(name.p, "key", 3) == 0 ? MEMBER_KEY : MEMBER_OTHER;
    case 5:
        return memcmp(name.p, "value", 5) == 0 ? MEMBER_VALUE : MEMBER_OTHER;
    case 7:
        return memcmp(name.p, "time_ms", 7) == 0 ? MEMBER_TIME_MS : MEMBER_OTHER;
    case 8:
        return memcmp(name.p, "metadata", 8) == 0 ? MEMBER_METADATA : MEMBER_OTHER;
    default:
        return MEMBER_OTHER;
    }
}

/* Names are never escaped in practice; where one is, it is compared by its characters. */
static enum member member_of_name(struct span quoted)
{
    static const char *const known[] = {"time_ms", "key", "value", "metadata"};
    struct span name = {quoted.p + 1, quoted.n - 2};
    if (name.n >= 8 && memchr(name.p, '\\', name.n))
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (mllog_text_is(quoted, known[i]))
                return member_of_plain_name(span_of(known[i]));
    return member_of_plain_name(name);
}

static bool is_guessed(const struct guess *g, const char *p)
{
    uint64_t text[GUESS_WORDS];
    memcpy(text, p, sizeof text);
    return (((text[0] ^ g->text[0]) & g->mask[0]) | ((text[1] ^ g->text[1]) & g->mask[1])) == 0;
}

static void note_guess(struct guess *g, struct span text, const struct named *to)
{
    if (text.n > sizeof g->text)
        return;
    *g = (struct guess){.n = text.n, .name_n = to->n, .member = to->member};
    memcpy(g->text, text.p, text.n);
    memset(g->mask, 0xFF, text.n);
}

/* The i-th member, whose name begins at `p`; value NULL: it is not one. */
static inline struct named
walk_member_name(const struct reader *r, struct guess guesses[GUESSED_MAX], const char *p, size_t i)
{
    struct guess *g = i < GUESSED_MAX ? &guesses[i] : NULL;
    if (!g || !g->n || (size_t)(r->end - p) < sizeof g->text || !is_guessed(g, p)) {
        /* Where nothing was guessed, or something else. */
        const char *behind = json_walk_string(p, r->end);
        const char *colon = behind ? json_walk_blank(behind) : "";
        if (*colon != ':')
            return (struct named){.value = NULL};
        struct span name = {p, (size_t)(behind - p)};
        const struct named to = {name.n, member_of_name(name), json_walk_blank(colon + 1)};
        if (g && !g->n)
            note_guess(g, (struct span){p, (size_t)(to.value - p)}, &to);
        return to;
    }
    return (struct named){g->name_n, g->member, json_walk_blank(p + g->n)};
}

/* Behind the comma that is followed by another member, or NULL where the object ends or is none;
 * then *end is behind it, or NULL. */
static inline const char *walk_to_next(const char *p, const char **end)
{
    p = json_walk_blank(p);
    *end = *p == '}' ? p + 1 : NULL;
    return *p == ',' ? json_walk_blank(p + 1) : NULL;
}

/* Behind the object that begins at `p`, whose members are noted; NULL: it is not one. */
static const char *walk_metadata(struct reader *r, const char *p)
{
    const char *from = p, *end;
    p = json_walk_blank(p + 1);
    if (*p == '}')
        return p + 1;
    for (size_t i = 0; p; i++) {
        const char *name = p;
        const struct named to = walk_member_name(r, r->guesses_metadata, p, i);
        if (!to.value || !(p = json_walk_value(to.value, r->end, JSON_WALK_DEPTH_MAX - 2)))
            return NULL;
        if (i < NOTED_MAX)
            r->noted[i] =
                (struct mllog_noted){(uint32_t)(name - from), (uint32_t)to.n,
                                     (uint32_t)(to.value - from), (uint32_t)(p - to.value)};
        r->n_noted = i < NOTED_MAX ? i + 1 : 0;
        p = walk_to_next(p, &end);
    }
    return end;
}

/* Behind the object at `p`, whose members are noted; NULL: it is not one. */
static const char *walk_members(struct reader *r, const char *p, struct members *m)
{
    const char *end;
    r->n_noted = 0;
    if (*p != '{')
        return NULL;
    p = json_walk_blank(p + 1);
    if (*p == '}')
        return p + 1;
    for (size_t i = 0; p; i++) {
        const struct named to = walk_member_name(r, r->guesses, p, i);
        if (!to.value)
            return NULL;
        if (to.member == MEMBER_METADATA)
            r->n_noted = 0; /* the last one counts */
        p = to.member == MEMBER_METADATA && *to.value == '{'
                ? walk_metadata(r, to.value)
                : json_walk_value(to.value, r->end, JSON_WALK_DEPTH_MAX - 1);
        if (!p)
            return NULL;
        m->at[to.member] = (struct span){to.value, (size_t)(p - to.value)};
        p = walk_to_next(p, &end);
    }
    return end;
}

/* Many records have the key of the one before. */
static uint32_t name_of_key(struct reader *r, struct span key)
{
    struct span text = {key.p + 1, key.n - 2};
    if (text.n == r->key.n && memcmp(text.p, r->key.p, text.n) == 0)
        return r->name;
    r->key = text;
    if (memchr(text.p, '\\', text.n))
        text = span_of(mllog_text(key, r->arena));
    r->name = mllog_names_find(&r->log->names, text);
    if (r->name == MLLOG_NAME_NONE && mllog_names_has_prefix(&r->log->names, text)) {
        /* The first of its own makes the log's table. */
        if (r->log->names.slots == r->names->slots) {
            struct mllog_names own = {.prefixes = r->names->prefixes,
                                      .n_prefixes = r->names->n_prefixes};
            for (size_t i = 0; i < r->names->n; i++)
                mllog_names_add(&own, span_of(r->names->texts[i]), r->arena);
            r->log->names = own;
        }
        r->name = mllog_names_add(&r->log->names, text, r->arena);
    }
    return r->name;
}

/* Nearly always a whole number of 13 digits. */
static bool read_time_ms(struct span json, double *out)
{
    uint64_t n = 0;
    size_t i = 0;
    if (json.n < 16) /* below 2^53 */
        while (i < json.n && text_is_digit(json.p[i]))
            n = 10 * n + (uint64_t)(json.p[i++] - '0');
    if (i == json.n) {
        *out = (double)n;
        return true;
    }
    struct mllog_value value = mllog_value(json);
    return mllog_read_number(&value, out);
}

/* False: the object lacks a member, or has one of another type. */
static bool note_record(struct reader *r, const struct members *m, uint32_t at)
{
    const struct span key = m->at[MEMBER_KEY], value = m->at[MEMBER_VALUE];
    const struct span metadata = m->at[MEMBER_METADATA], time = m->at[MEMBER_TIME_MS];
    double time_ms;
    if (!key.p || *key.p != '"' || !value.p || !metadata.p || !time.p ||
        !read_time_ms(time, &time_ms))
        return false;
    r->log->n_all++;
    if (r->before - time_ms > r->log->back_ms) {
        r->log->back_ms = r->before - time_ms;
        r->log->back_at = at;
    }
    r->before = time_ms;
    uint32_t name = name_of_key(r, key);
    if (name == MLLOG_NAME_NONE)
        return true;
    const struct mllog_noted *noted =
        r->n_noted ? arena_copy(r->arena, r->noted, r->n_noted, sizeof *noted) : NULL;
    *(struct mllog_record *)ARENA_PUSH(r->arena, r->log->records, r->log->n) =
        (struct mllog_record){time_ms, name, at, key, value, metadata, noted, r->n_noted};
    return true;
}

static void note_broken_record(struct reader *r, uint32_t at)
{
    if (!r->log->n_broken++)
        r->log->broken_at = at;
}

/* Is the line on which `token` stands longer than it may be? Most records end near the one before,
 * and then nothing is searched. */
static bool is_long_line(const struct reader *r, const char *before, const char *token,
                         const char *end)
{
    const char *from = token;
    if ((size_t)(end - before) <= MLLOG_LINE_MAX)
        return false;
    while (from > r->log->bytes.data && from[-1] != '\n' && from[-1] != '\r' &&
           (size_t)(end - from) <= MLLOG_LINE_MAX)
        from--;
    return (size_t)(end - from) > MLLOG_LINE_MAX;
}

void mllog_read(struct bytes bytes, const struct mllog_names *names, struct arena *arena,
                struct mllog *out)
{
    *out = (struct mllog){.bytes = bytes, .names = *names};
    struct reader r = {.log = out,
                       .names = names,
                       .arena = arena,
                       .end = bytes.data + bytes.len,
                       .before = NAN,
                       .key = {NULL, SIZE_MAX}}; /* as no key is */
    const char *before = bytes.data, *token = find_token(&r, bytes.data);
    while (token && out->n_all + out->n_broken < MLLOG_RECORDS_MAX) {
        struct members members = {{{NULL, 0}}};
        const char *next = find_token(&r, token + TOKEN_N);
        const char *json = skip_white(token + TOKEN_N), *end = walk_members(&r, json, &members);
        end = end ? skip_white(end) : NULL;
        bool whole = end && (end == r.end || *end == '\n' || *end == '\r');
        if (!whole)
            end = json_line_end(&r, token);
        if (next && next < end) { /* the last mark of a line counts */
            if (!out->n_doubled++)
                out->doubled_at = (uint32_t)(token - bytes.data);
            while (next && next < end) {
                token = next;
                next = find_token(&r, token + TOKEN_N);
            }
            members = (struct members){{{NULL, 0}}};
            const char *stop = walk_members(&r, skip_white(token + TOKEN_N), &members);
            whole = stop && skip_white(stop) == end;
        }
        uint32_t at = (uint32_t)(token - bytes.data);
        if (!whole || is_long_line(&r, before, token, end) || !note_record(&r, &members, at))
            note_broken_record(&r, at);
        before = end;
        token = next;
    }
    if (token) /* more records than are read */
        note_broken_record(&r, (uint32_t)(token - bytes.data));
}

bool mllog_is(struct bytes bytes)
{
    size_t n = bytes.len < LOOKED_AT ? bytes.len : LOOKED_AT;
    return memmem(bytes.data, n, MLLOG_TOKEN, TOKEN_N) != NULL;
}

/* How often `c` stands in the first n bytes. */
static int count_byte(const char *p, size_t n, char c)
{
    const char *end = p + n;
    int count = 0;
    while ((p = memchr(p, c, (size_t)(end - p)))) {
        count++;
        p++;
    }
    return count;
}

int mllog_line(struct bytes bytes, uint32_t at)
{
    const char *p = bytes.data, *end = bytes.data + at;
    int line = 1 + count_byte(p, at, '\n');
    for (; (p = memchr(p, '\r', (size_t)(end - p))); p++)
        line += p[1] != '\n';
    return line;
}

struct span mllog_metadata_span(const struct mllog_record *record, const char *name)
{
    const char *from = record->metadata.p;
    if (!record->noted)
        return mllog_member_span(record->metadata, name);
    for (size_t i = record->n_noted; i > 0; i--) {
        const struct mllog_noted *m = &record->noted[i - 1];
        if (mllog_name_is((struct span){from + m->name_at, m->name_n}, name))
            return (struct span){from + m->value_at, m->value_n};
    }
    return (struct span){NULL, 0};
}

const struct mllog_record *mllog_first(const struct mllog *log, const char *key)
{
    uint32_t name = mllog_names_find(&log->names, span_of(key));
    for (size_t i = 0; i < log->n && name != MLLOG_NAME_NONE; i++)
        if (log->records[i].name == name)
            return &log->records[i];
    return NULL;
}

const struct mllog_record *mllog_last(const struct mllog *log, const char *key)
{
    uint32_t name = mllog_names_find(&log->names, span_of(key));
    for (size_t i = log->n; i > 0 && name != MLLOG_NAME_NONE; i--)
        if (log->records[i - 1].name == name)
            return &log->records[i - 1];
    return NULL;
}
