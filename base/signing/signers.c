#include "base/signing/signers.h"

#include "base/arena.h"
#include "base/files/file.h"
#include "base/signing/base64.h"

#include <string.h>
#include <strings.h>

#define BLANKS " \t"
#define PATTERN_MAX 1023 /* bytes: from here on */
#define STARS_MAX 4      /* ssh-keygen tries all ways to fill them: a few more take it years */

/* One line of a file of keys, and where what is said about it goes. */
struct reading {
    const char *file;
    int line;
    char *at;                      /* what is not read yet */
    const char *line_at, *key_end; /* of the line: where it begins, and where its key ends */
    const char *original;          /* the same place as line_at in the bytes that were given */
    struct arena *arena;
    struct diags *diags;
};

static bool signers_fault(struct reading *r, enum severity severity, const char *message)
{
    diags_add(r->diags, severity, r->file, r->line, 1, "%s", message);
    return false;
}

/* The next word, up to a blank that is in no quotes; "" at the end. Quotes around the whole of it
 * are kept. */
static char *next_signers_word(struct reading *r)
{
    char *from = r->at + strspn(r->at, BLANKS), *to = from;
    for (bool quoted = false; *to && (quoted || !strchr(BLANKS, *to)); to++) {
        if (*to == '\\' && to[1] == '"')
            to++;
        else if (*to == '"')
            quoted = !quoted;
    }
    r->at = *to ? to + 1 : to;
    *to = '\0';
    return from;
}

/* Text without the quotes around it; NULL when they do not match. */
static char *unquoted(char *text)
{
    size_t n = strlen(text);
    if (*text != '"')
        return strchr(text, '"') ? NULL : text;
    if (n < 2 || text[n - 1] != '"')
        return NULL;
    text[n - 1] = '\0';
    return strchr(text + 1, '"') ? NULL : text + 1;
}

/* ---- options ----------------------------------------------------------------------------- */

static bool set_authority(struct signer *s, char *value)
{
    s->authority = true;
    return !value;
}

static bool set_namespaces(struct signer *s, char *value)
{
    if (s->namespaces || !value || !*value)
        return false;
    s->namespaces = value;
    return true;
}

static bool set_after(struct signer *s, char *value)
{
    return !s->after && value && signers_time(value, &s->after);
}

static bool set_before(struct signer *s, char *value)
{
    return !s->before && value && signers_time(value, &s->before);
}

static const struct key_option {
    const char *name;
    bool (*set)(struct signer *, char *value); /* value NULL: none */
    const char *fault;
} key_options[] = {
    {"cert-authority", set_authority, "cert-authority takes no value"},
    {"namespaces", set_namespaces, "expected namespaces=\"…\", once"},
    {"valid-after", set_after, "expected valid-after=\"YYYYMMDD[HHMM[SS]][Z]\", once"},
    {"valid-before", set_before, "expected valid-before=\"YYYYMMDD[HHMM[SS]][Z]\", once"},
};

/* End of the option that begins here: a comma in no quotes, or the end. */
static char *option_end(char *at)
{
    for (bool quoted = false; *at && (quoted || *at != ','); at++)
        if (*at == '"')
            quoted = !quoted;
    return at;
}

static bool read_option(struct reading *r, char *text, struct signer *s)
{
    char *value = strchr(text, '=');
    if (value)
        *value++ = '\0';
    for (size_t i = 0; i < sizeof key_options / sizeof *key_options; i++) {
        const struct key_option *o = &key_options[i];
        if (strcasecmp(text, o->name) != 0)
            continue;
        char *plain = value && *value == '"' ? unquoted(value) : NULL;
        if ((value && !plain) || !o->set(s, plain))
            return signers_fault(r, SEVERITY_ERROR, o->fault);
        return true;
    }
    return signers_fault(
        r, SEVERITY_ERROR,
        "found an unknown option, expected cert-authority, namespaces=, valid-after= or "
        "valid-before=");
}

static bool read_options(struct reading *r, char *text, struct signer *s)
{
    for (char *at = text, *end;; at = end + 1) {
        end = option_end(at);
        bool last = !*end;
        *end = '\0';
        if (!read_option(r, at, s))
            return false;
        if (last)
            break;
    }
    if (s->after && s->before && s->after > s->before)
        return signers_fault(r, SEVERITY_ERROR, "valid-before is before valid-after");
    return true;
}

/* ---- lines ------------------------------------------------------------------------------- */

/* "ssh-ed25519 AAAA… comment", whose type has been read. */
static bool read_signers_key(struct reading *r, const char *type, struct sshkey *out)
{
    struct bytes blob;
    const char *text = next_signers_word(r);
    r->key_end = text + strlen(text);
    if (!base64_decode(text, strlen(text), r->arena, &blob) || !sshkey_parse(blob, r->arena, out) ||
        strcmp(out->type, type) != 0)
        return signers_fault(r, SEVERITY_ERROR, "the key does not have the type that precedes it");
    return true;
}

/* What is wrong with patterns that have commas between; NULL: nothing. They are ASCII without
 * controls: they go into logs and verdicts and onto terminals, and verify.sh, which has to come to
 * the same, has nothing that knows UTF-8. ssh-keygen takes no list with a longer pattern in it. */
static const char *list_fault(const char *patterns)
{
    for (const char *c = patterns; *c; c++)
        if (*c < ' ' || *c > '~' || *c == '\\')
            return "expected names of printable ASCII, without \\";
    for (const char *at = patterns;; at++) {
        size_t n = strcspn(at, ",");
        if (n == 0)
            return "found a name of nothing among the commas";
        if (n >= PATTERN_MAX)
            return "found a pattern of more than 1022 bytes";
        size_t stars = 0;
        for (size_t i = 0; i < n; i++)
            stars += at[i] == '*';
        if (stars > STARS_MAX)
            return "found a pattern with more than 4 *";
        at += n;
        if (!*at)
            return NULL;
    }
}

static bool read_signer(struct reading *r, struct signer *s)
{
    s->line = r->line;
    s->principals = unquoted(next_signers_word(r));
    if (!s->principals || !*s->principals)
        return signers_fault(r, SEVERITY_ERROR, "expected 'principals [options] key-type key'");
    char *next = next_signers_word(r);
    if (!sshkey_is_type(next)) {
        if (!*next)
            return signers_fault(r, SEVERITY_ERROR, "expected a key behind the principals");
        if (!read_options(r, next, s))
            return false;
        next = next_signers_word(r);
    }
    if (!sshkey_is_type(next))
        return signers_fault(r, SEVERITY_ERROR, "expected a type of keys, as ssh-ed25519");
    const char *wrong = list_fault(s->principals);
    wrong = !wrong && s->namespaces ? list_fault(s->namespaces) : wrong;
    if (wrong)
        return signers_fault(r, SEVERITY_ERROR, wrong);
    if (!read_signers_key(r, next, &s->key))
        return false;
    if (s->authority)
        signers_fault(r, SEVERITY_WARNING,
                      "cert-authority is not supported: the line admits nobody");
    else if (!s->key.usable)
        signers_fault(
            r, SEVERITY_WARNING,
            "found a key that does not count, expected Ed25519, ECDSA, RSA of 2048 bits or "
            "more, or FIDO: the line admits nobody");
    return true;
}

static bool read_revoked(struct reading *r, struct sshkey *key)
{
    const char *type = next_signers_word(r);
    if (!sshkey_is_type(type))
        return signers_fault(r, SEVERITY_ERROR, "expected a public key, as 'ssh-ed25519 AAAA…'");
    return read_signers_key(r, type, key);
}

typedef void line_reader(struct reading *r, struct signers *out);

static void take_signer(struct reading *r, struct signers *out)
{
    struct signer s = {0};
    if (!read_signer(r, &s))
        return;
    s.text = (struct bytes){r->original, (size_t)(r->key_end - r->line_at)};
    *(struct signer *)ARENA_PUSH(r->arena, out->items, out->n) = s;
}

static void take_revoked(struct reading *r, struct signers *out)
{
    struct sshkey key;
    if (read_revoked(r, &key))
        *(struct sshkey *)ARENA_PUSH(r->arena, out->revoked, out->n_revoked) = key;
}

#define PRIVATE "-----BEGIN OPENSSH PRIVATE KEY-----" /* as ssh-keygen writes it */

/* Every line that is not blank and no comment. */
static int read_signers_lines(const char *file, struct bytes text, line_reader *take,
                              struct arena *arena, struct signers *out, struct diags *diags)
{
    struct reading r = {.file = file, .arena = arena, .diags = diags};
    size_t before = diags->errors;
    if (text.len > SIGNERS_BYTES_MAX || memchr(text.data, '\0', text.len)) {
        signers_fault(&r, SEVERITY_ERROR, "not a list of keys as text");
        return -1;
    }
    if (text.len >= strlen(PRIVATE) && memcmp(text.data, PRIVATE, strlen(PRIVATE)) == 0) {
        r.line = 1;
        signers_fault(&r, SEVERITY_ERROR,
                      "found a private key, expected the public one beside it (.pub)");
        return -1;
    }
    char *copy = arena_strndup(arena, text.data, text.len), *at = copy;
    for (char *next; at && diags->errors - before < DIAGS_MAX; at = next) {
        next = strchr(at, '\n');
        if (next)
            *next++ = '\0';
        if (*at && at[strlen(at) - 1] == '\r')
            at[strlen(at) - 1] = '\0';
        at += strspn(at, BLANKS);
        r.line++;
        r.at = at;
        r.line_at = at;
        r.original = text.data + (at - copy);
        if (*at && *at != '#')
            take(&r, out);
        if (out->n > SIGNERS_MAX || out->n_revoked > SIGNERS_MAX) {
            signers_fault(&r, SEVERITY_ERROR, "more than 10000 keys");
            break;
        }
    }
    return diags->errors == before ? 0 : -1;
}

int signers_read(const char *file, struct bytes text, struct arena *arena, struct signers *out,
                 struct diags *diags)
{
    out->file = arena_strdup(arena, file);
    return read_signers_lines(file, text, take_signer, arena, out, diags);
}

struct bytes signers_text(const struct signers *s, struct arena *arena)
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->items[i].text.len + 1;
    char *text = arena_alloc(arena, n + 1);
    for (size_t i = 0; i < s->n; i++) {
        memcpy(text + at, s->items[i].text.data, s->items[i].text.len);
        at += s->items[i].text.len;
        text[at++] = '\n';
    }
    return (struct bytes){text, n};
}

struct bytes signers_revoked_text(const struct signers *s, struct arena *arena)
{
    struct buf text = BUF_INIT(2 * SIGNERS_BYTES_MAX);
    for (size_t i = 0; i < s->n_revoked; i++) {
        buf_printf(&text, "%s ", s->revoked[i].type);
        base64_encode(s->revoked[i].blob.data, s->revoked[i].blob.len, &text);
        buf_add(&text, "\n", 1);
    }
    struct bytes out = {arena_strndup(arena, text.data, text.len), text.len};
    buf_release(&text);
    return out;
}

int signers_read_revoked(const char *file, struct bytes text, struct arena *arena,
                         struct signers *out, struct diags *diags)
{
    return read_signers_lines(file, text, take_revoked, arena, out, diags);
}

static int load_signers_text(const char *path, struct arena *arena, struct bytes *text,
                             struct diags *diags)
{
    struct err err = ERR_INIT;
    if (file_read(path, SIGNERS_BYTES_MAX, arena, text, &err) == 0)
        return 0;
    diags_add_err(diags, path, 0, 0, &err);
    return -1;
}

int signers_load(const char *path, struct arena *arena, struct signers *out, struct diags *diags)
{
    struct bytes text;
    out->file = arena_strdup(arena, path);
    return load_signers_text(path, arena, &text, diags) < 0
               ? -1
               : signers_read(path, text, arena, out, diags);
}

int signers_load_revoked(const char *path, struct arena *arena, struct signers *out,
                         struct diags *diags)
{
    struct bytes text;
    return load_signers_text(path, arena, &text, diags) < 0
               ? -1
               : signers_read_revoked(path, text, arena, out, diags);
}
