#include "base/signing/sshkey.h"

#include "base/signing/base64.h"
#include "base/signing/hash.h"

#include <string.h>

#define TYPE_MAX 64

bool sshkey_take_number(struct sshkey_reader *r, unsigned *out)
{
    if (r->left < 4)
        return false;
    *out = 0;
    for (size_t i = 0; i < 4; i++)
        *out = *out << 8 | (unsigned char)r->at[i];
    r->at += 4;
    r->left -= 4;
    return true;
}

bool sshkey_take_string(struct sshkey_reader *r, struct bytes *out)
{
    unsigned len;
    struct sshkey_reader before = *r;
    if (!sshkey_take_number(r, &len) || r->left < len) {
        *r = before;
        return false;
    }
    *out = (struct bytes){r->at, len};
    r->at += len;
    r->left -= len;
    return true;
}

bool sshkey_bytes_are(struct bytes b, const char *text)
{
    return b.len == strlen(text) && memcmp(b.data, text, b.len) == 0;
}

bool sshkey_take_positive(struct sshkey_reader *r, struct bytes *out)
{
    if (!sshkey_take_string(r, out) || out->len == 0 || out->data[0] & 0x80)
        return false;
    if (out->data[0])
        return true;
    *out = (struct bytes){out->data + 1, out->len - 1};
    return out->len > 0 && out->data[0] & 0x80;
}

#define CERTIFICATE "-cert-v01@openssh.com"

static const struct key_type {
    const char *name;
    enum public_key_kind kind;
    const char *curve; /* of ECDSA, as SSH calls it */
    bool hardware;
} key_types[] = {
    {"ssh-ed25519", PUBLIC_KEY_ED25519, NULL, false},
    {"ssh-rsa", PUBLIC_KEY_RSA, NULL, false},
    {"ecdsa-sha2-nistp256", PUBLIC_KEY_P256, "nistp256", false},
    {"ecdsa-sha2-nistp384", PUBLIC_KEY_P384, "nistp384", false},
    {"ecdsa-sha2-nistp521", PUBLIC_KEY_P521, "nistp521", false},
    {"sk-ssh-ed25519@openssh.com", PUBLIC_KEY_ED25519, NULL, true},
    {"sk-ecdsa-sha2-nistp256@openssh.com", PUBLIC_KEY_P256, "nistp256", true},
    {"ssh-dss", PUBLIC_KEY_OTHER, NULL, false},
};

/* Does a word name this type, or certificates of it ("sk-ssh-ed25519-cert-v01@openssh.com")? */
static bool names_type(const char *word, const struct key_type *t, bool *certificate)
{
    size_t n = strcspn(t->name, "@");
    *certificate = strncmp(word, t->name, n) == 0 && strcmp(word + n, CERTIFICATE) == 0;
    return *certificate || strcmp(word, t->name) == 0;
}

static const struct key_type *find_key_type(const char *word, bool *certificate)
{
    for (size_t i = 0; i < sizeof key_types / sizeof *key_types; i++)
        if (names_type(word, &key_types[i], certificate))
            return &key_types[i];
    return NULL;
}

bool sshkey_is_type(const char *word)
{
    bool certificate;
    return find_key_type(word, &certificate) != NULL;
}

static const char *fingerprint_of(struct bytes blob, struct arena *arena)
{
    unsigned char raw[HASH_SHA256_BYTES];
    struct buf text;
    hash_sha256_raw(blob.data, blob.len, raw);
    buf_init(&text, 128);
    buf_str(&text, "SHA256:");
    base64_encode(raw, sizeof raw, &text);
    const char *out = arena_strndup(arena, text.data, strcspn(text.data, "="));
    buf_release(&text);
    return out;
}

static bool read_key_numbers(struct sshkey_reader *r, const struct key_type *t, struct sshkey *out)
{
    struct bytes curve;
    out->numbers.kind = t->kind;
    if (t->kind == PUBLIC_KEY_RSA)
        return sshkey_take_positive(r, &out->numbers.exponent) &&
               sshkey_take_positive(r, &out->numbers.point);
    if (t->curve && !(sshkey_take_string(r, &curve) && sshkey_bytes_are(curve, t->curve)))
        return false;
    return sshkey_take_string(r, &out->numbers.point);
}

bool sshkey_parse(struct bytes blob, struct arena *arena, struct sshkey *out)
{
    struct sshkey_reader r = {blob.data, blob.len};
    struct bytes type;
    bool certificate;
    *out = (struct sshkey){.blob = blob};
    if (!sshkey_take_string(&r, &type) || type.len == 0 || type.len > TYPE_MAX ||
        memchr(type.data, '\0', type.len))
        return false;
    out->type = arena_strndup(arena, type.data, type.len);
    const struct key_type *t = find_key_type(out->type, &certificate);
    if (!t)
        return false;
    out->fingerprint = fingerprint_of(blob, arena);
    if (certificate || t->kind == PUBLIC_KEY_OTHER)
        return true;
    out->hardware = t->hardware;
    out->usable = read_key_numbers(&r, t, out) &&
                  (!t->hardware || sshkey_take_string(&r, &out->application)) && r.left == 0 &&
                  public_key_has_size(&out->numbers);
    return out->usable || strcmp(out->type, key_types[0].name) != 0;
}

bool sshkey_same(const struct sshkey *a, const struct sshkey *b)
{
    return a->blob.len == b->blob.len && memcmp(a->blob.data, b->blob.data, a->blob.len) == 0;
}
