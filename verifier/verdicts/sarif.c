/*
 * SARIF 2.1.0 (OASIS Standard, 27 March 2020), with what GitHub code scanning asks for:
 *
 *   - every result has a place in a file of the repository: what is found inside a submission is
 *     shown at the record or page that it is evidence of, what is about a whole file at line 1;
 *   - URIs are relative to the folder where the program was started, percent-encoded;
 *   - columns count characters (`columnKind`);
 *   - `primaryLocationLineHash` is made of the rule, the result's name, the name of the row and
 *     what was stated, so that an alert stays the same when lines move;
 *   - at most SARIF_RESULTS_MAX results: the last notices, then warnings, then errors are left
 *     out, and a notification says so. GitHub refuses more, and shows the 5,000 worst.
 */
#include "verifier/verdicts/verdicts.h"

#include "base/foreign.h"
#include "base/signing/hash.h"
#include "base/text.h"
#include "verifier/checks/list.h"
#include "verifier/checks/mlperf/mlperf_rule.h"
#include "verifier/checks/rules.h"

#include <ctype.h>

#define SARIF_RESULTS_MAX 25000
#define SARIF_TEXT_MAX 4000 /* bytes of one message */
#define FINGERPRINT_DIGITS 16

struct sarif {
    const struct verdicts *v;
    struct json_writer w;
    struct arena scratch;
    const char **seen; /* fingerprints of one verdict */
    size_t n_seen;
};

static const char *const levels[] = {
    [SEVERITY_NOTICE] = "note",
    [SEVERITY_WARNING] = "warning",
    [SEVERITY_ERROR] = "error",
};
/* GitHub's own names, for its filter. */
static const char *const github_severities[] = {
    [SEVERITY_NOTICE] = "recommendation",
    [SEVERITY_WARNING] = "warning",
    [SEVERITY_ERROR] = "error",
};

/* An object of one text. */
static void put_text_object(struct json_writer *w, const char *key, const char *name,
                            const char *text)
{
    json_begin_object_flat(w, key);
    json_string(w, name, text);
    json_end_object(w);
}

static void put_sarif_text(struct sarif *s, const char *key, const char *text)
{
    put_text_object(&s->w, key, "text", foreign_line(&s->scratch, text, SARIF_TEXT_MAX));
}

/* --- rules --- */

/* "Form of MFU" as FormOfMfu: SARIF wants an identifier of words that begin with a capital; what
 * has a single letter is left out. */
static const char *rule_name(struct sarif *s, const char *title)
{
    char *name = arena_strdup(&s->scratch, title);
    size_t used = 0;
    for (const char *c = title; *c;) {
        size_t n = 0;
        while (isascii(c[n]) && isalnum((unsigned char)c[n]))
            n++;
        for (size_t i = 0; n > 1 && i < n; i++)
            name[used++] = (char)(i ? tolower((unsigned char)c[i]) : toupper((unsigned char)*c));
        c += n ? n : 1;
    }
    name[used] = '\0';
    return name;
}

static void begin_rule(struct sarif *s, const char *id, const char *title, const char *statement)
{
    json_begin_object(&s->w, NULL);
    json_string(&s->w, "id", id);
    json_string(&s->w, "name", rule_name(s, title));
    put_sarif_text(s, "shortDescription", title);
    put_sarif_text(s, "fullDescription", statement);
}

static void end_rule(struct json_writer *w, enum severity severity, const char *since)
{
    put_text_object(w, "defaultConfiguration", "level", levels[severity]);
    json_begin_object_flat(w, "properties");
    json_string(w, "problem.severity", github_severities[severity]);
    if (since)
        json_string(w, "since", since);
    json_end_object(w);
    json_end_object(w);
}

static void put_rule(struct sarif *s, const struct rule *r)
{
    begin_rule(s, r->id, r->title.en, r->statement.en);
    json_begin_object(&s->w, "help");
    json_string(&s->w, "text",
                arena_printf(&s->scratch, "Why: %s\nHow it is computed: %s\nHow to fix it: %s\n",
                             r->why.en, r->how.en, r->fix.en));
    json_string(&s->w, "markdown",
                arena_printf(&s->scratch,
                             "**Why.** %s\n\n**How it is computed.** %s\n\n**How to fix it.** %s\n",
                             r->why.en, r->how.en, r->fix.en));
    json_end_object(&s->w);
    end_rule(&s->w, r->severity, r->since);
}

/* Rules about MLPerf results are told where there are any; the others are then not asked. */
static bool is_verdict_about_mlperf(const struct sarif *s)
{
    return s->v->n && s->v->items[0].mlperf;
}

static void put_mlperf_rules(struct sarif *s)
{
    size_t n;
    const struct mlperf_rule *const *rules = mlperf_rules(&n);
    for (size_t i = 0; i < n; i++) {
        const struct mlperf_rule *r = rules[i];
        begin_rule(s, r->id, r->title.en, r->statement.en);
        put_sarif_text(s, "help", arena_printf(&s->scratch, "Source: %s", r->source));
        end_rule(&s->w, r->severity, NULL);
    }
}

static long long mlperf_rule_index(const char *id)
{
    size_t n;
    const struct mlperf_rule *const *rules = mlperf_rules(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(rules[i]->id, id) == 0)
            return (long long)i;
    return -1;
}

static void put_tool(struct sarif *s)
{
    size_t n;
    const struct rule *const *rules = rules_all(&n);
    struct json_writer *w = &s->w;
    json_begin_object(w, "tool");
    json_begin_object(w, "driver");
    json_string(w, "name", "fpreport");
    json_string(w, "version", FPREPORT_VERSION);
    json_string(w, "semanticVersion", FPREPORT_VERSION);
    json_begin_array(w, "rules");
    if (is_verdict_about_mlperf(s))
        put_mlperf_rules(s);
    for (size_t i = 0; !is_verdict_about_mlperf(s) && i < n; i++)
        if (rules_has(s->v->rules, rules[i]))
            put_rule(s, rules[i]);
    json_end_array(w);
    json_end_object(w);
    json_end_object(w);
}

/* In the array of rules that put_tool() writes; -1: not there. */
static long long rule_index(const struct sarif *s, const char *id)
{
    size_t n;
    long long index = 0;
    const struct rule *const *rules = rules_all(&n);
    if (is_verdict_about_mlperf(s))
        return mlperf_rule_index(id);
    for (size_t i = 0; i < n; i++) {
        if (!rules_has(s->v->rules, rules[i]))
            continue;
        if (strcmp(rules[i]->id, id) == 0)
            return index;
        index++;
    }
    return -1;
}

/* --- places --- */

static const char *percent_encode(struct sarif *s, const char *path)
{
    char *out = arena_array(&s->scratch, strlen(path) + 1, 3), *to = out;
    for (const char *c = path; *c; c++) {
        if (isascii(*c) && (isalnum((unsigned char)*c) || strchr("-._~/", *c))) {
            *to++ = *c;
        } else {
            static const char digits[] = "0123456789ABCDEF";
            *to++ = '%';
            *to++ = digits[(unsigned char)*c >> 4];
            *to++ = digits[(unsigned char)*c & 15];
        }
    }
    return out;
}

static const char *uri_of(struct sarif *s, const char *path)
{
    const char *root = s->v->root;
    size_t n = root ? strlen(root) : 0;
    if (*path != '/')
        while (text_starts(path, "./"))
            path += 2 + strspn(path + 2, "/");
    else if (n && strncmp(path, root, n) == 0 && path[n] == '/')
        path += n + strspn(path + n, "/");
    else
        return arena_printf(&s->scratch, "file://%s", percent_encode(s, path));
    return percent_encode(s, path);
}

static void put_artifact(struct sarif *s, const char *path)
{
    const char *uri = uri_of(s, path);
    json_begin_object_flat(&s->w, "artifactLocation");
    json_string(&s->w, "uri", uri);
    if (!text_starts(uri, "file:"))
        json_string(&s->w, "uriBaseId", "%SRCROOT%");
    json_end_object(&s->w);
}

/* A file of its own, or below the folder that was verified; not inside a submission. */
static bool is_own_file(const struct verdict *v, const char *file)
{
    size_t n = strlen(v->file);
    return file && strncmp(file, v->file, n) == 0 && (!file[n] || file[n] == '/');
}

/* Line or column 0: not known. */
static void put_location(struct sarif *s, const char *file, int line, int column)
{
    struct json_writer *w = &s->w;
    json_begin_array(w, "locations");
    json_begin_object(w, NULL);
    json_begin_object(w, "physicalLocation");
    put_artifact(s, file);
    if (line) {
        json_begin_object_flat(w, "region");
        json_integer(w, "startLine", line);
        if (column)
            json_integer(w, "startColumn", column);
        json_end_object(w);
    }
    json_end_object(w);
    json_end_object(w);
    json_end_array(w);
}

/* --- results --- */

static const char *message_of(struct sarif *s, const struct verdict *v,
                              const struct check_result *c)
{
    struct arena *a = &s->scratch;
    const char *text = c->message;
    if (c->stated && c->expected)
        text = arena_printf(a, "%s. Stated %s, expected %s%s%s.", text,
                            foreign_line(a, c->stated, 200), foreign_line(a, c->expected, 200),
                            c->tolerance ? " +/- " : "", c->tolerance ? c->tolerance : "");
    if (c->file && !is_own_file(v, c->file))
        text = arena_printf(a, c->line ? "%s (%s:%d)" : "%s (%s)", text, c->file, c->line);
    return text;
}

static void put_result(struct sarif *s, const struct verdict *v, const struct check_result *c)
{
    struct json_writer *w = &s->w;
    long long index = rule_index(s, c->rule);
    json_begin_object(w, NULL);
    json_string(w, "ruleId", c->rule);
    if (index >= 0)
        json_integer(w, "ruleIndex", index);
    json_string(w, "level", levels[c->severity]);
    put_sarif_text(s, "message", message_of(s, v, c));
    bool own = is_own_file(v, c->file);
    put_location(s, own ? c->file : v->file, own && c->line ? c->line : 1,
                 own && c->line ? c->character : 0);
    /* Findings that are alike are told apart by their number, as GitHub's own hashes do. */
    /* The row by its name: its number changes when rows are put before it. */
    const char *row = verdict_row_name(v, c->table, c->row, &s->scratch);
    const char *parts[] = {c->rule, v->id, row, text_or_empty(c->stated)};
    char hex[HASH_HEX_SIZE];
    struct hash h;
    int same = 1;
    hash_init(&h);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hash_add(&h, parts[i], strlen(parts[i]) + 1);
    hash_final(&h, hex);
    hex[FINGERPRINT_DIGITS] = '\0';
    for (size_t i = 0; i < s->n_seen; i++)
        same += strcmp(s->seen[i], hex) == 0;
    *(const char **)ARENA_PUSH(&s->scratch, s->seen, s->n_seen) = arena_strdup(&s->scratch, hex);
    put_text_object(w, "partialFingerprints", "primaryLocationLineHash",
                    arena_printf(&s->scratch, "%s:%d", hex, same));
    json_end_object(w);
}

static size_t count_results(const struct verdicts *v, enum severity least)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++)
        n += verdict_count(&v->items[i], OUTCOME_FAIL, least);
    return n;
}

/* How many findings of each severity are written: the worst first, as long as there is room. */
static void share_room(const struct verdicts *v, size_t room[SEVERITY_ERROR + 1])
{
    size_t left = SARIF_RESULTS_MAX, worse = 0;
    for (int s = SEVERITY_ERROR; s >= SEVERITY_NOTICE; s--) {
        size_t all = count_results(v, (enum severity)s);
        size_t own = all - worse;
        room[s] = own < left ? own : left;
        left -= room[s];
        worse = all;
    }
}

static size_t put_results(struct sarif *s)
{
    size_t room[SEVERITY_ERROR + 1], written = 0;
    share_room(s->v, room);
    json_begin_array(&s->w, "results");
    for (size_t i = 0; i < s->v->n; i++) {
        const struct verdict *v = &s->v->items[i];
        for (size_t k = 0; k < v->n_checks; k++) {
            const struct check_result *c = &v->checks[k];
            if (c->outcome != OUTCOME_FAIL || !room[c->severity])
                continue;
            put_result(s, v, c);
            room[c->severity]--;
            written++;
        }
        arena_release(&s->scratch);
        s->seen = NULL;
        s->n_seen = 0;
    }
    json_end_array(&s->w);
    return written;
}

/* --- the run --- */

static void put_notification(struct sarif *s, const char *level, const char *file, int line,
                             const char *text)
{
    struct json_writer *w = &s->w;
    json_begin_object(w, NULL);
    json_string(w, "level", level);
    put_sarif_text(s, "message", text);
    if (file)
        put_location(s, file, line, 0);
    json_end_object(w);
}

static void put_invocation(struct sarif *s, size_t written)
{
    const struct diags *d = s->v->faults;
    size_t all = count_results(s->v, SEVERITY_NOTICE);
    struct json_writer *w = &s->w;
    json_begin_array(w, "invocations");
    json_begin_object(w, NULL);
    json_bool(w, "executionSuccessful", !d || d->errors == 0);
    json_begin_array(w, "toolExecutionNotifications");
    for (size_t i = 0; d && i < d->n; i++)
        if (d->items[i].severity == SEVERITY_ERROR)
            put_notification(s, "error", d->items[i].file, d->items[i].line, d->items[i].message);
    if (written < all)
        put_notification(s, "warning", NULL, 0,
                         arena_printf(&s->scratch,
                                      "%zu of %zu findings are left out: more than "
                                      "%d are not taken by code scanning",
                                      all - written, all, SARIF_RESULTS_MAX));
    json_end_array(w);
    json_end_object(w);
    json_end_array(w);
}

void verdicts_sarif(const struct verdicts *v, struct buf *out)
{
    struct sarif s = {.v = v, .scratch = ARENA_INIT};
    struct json_writer *w = &s.w;
    json_writer_init(w, out);
    json_begin_object(w, NULL);
    json_string(w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_string(w, "version", "2.1.0");
    json_begin_array(w, "runs");
    json_begin_object(w, NULL);
    put_tool(&s);
    json_string(w, "columnKind", "unicodeCodePoints");
    put_invocation(&s, put_results(&s));
    json_begin_object_flat(w, "properties");
    json_string(w, "ruleSet", rules_version(v->rules));
    if (rules_partial(v->rules))
        json_string(w, "only", rules_only_text(v->rules, &s.scratch));
    json_end_object(w);
    json_end_object(w);
    json_end_array(w);
    json_end_object(w);
    json_finish(w);
    arena_release(&s.scratch);
}
