#include "base/signing/sshsig.h"

#include "base/foreign.h"
#include "base/signing/base64.h"
#include "base/signing/hash.h"

#include <string.h>

#define TYPE_MAX 64

static bool sshkey_take_number(struct sshkey_reader *r, unsigned *out)
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

static bool sshkey_take_string(struct sshkey_reader *r, struct bytes *out)
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

/* Is the string exactly this text? */
static bool sshkey_bytes_are(struct bytes b, const char *text)
{
    return b.len == strlen(text) && memcmp(b.data, text, b.len) == 0;
}

/* A positive whole number in its shortest form, without the zero before a first bit of 1. */
static bool sshkey_take_positive(struct sshkey_reader *r, struct bytes *out)
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
    struct buf text = BUF_INIT(128);
    hash_sha256_raw(blob.data, blob.len, raw);
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

#define BEGIN "-----BEGIN SSH SIGNATURE-----\n"
#define END "-----END SSH SIGNATURE-----\n"
#define COLUMNS 70
#define MAGIC "SSHSIG"
#define HASH "sha512"

static int not_armour(struct err *err)
{
    return err_set(err, ERR_INPUT, "is not an SSH signature in the format of ssh-keygen");
}

/* Does the armour have its line breaks where ssh-keygen puts them, and only there? */
static bool join_lines(struct bytes text, struct arena *arena, struct bytes *out)
{
    char *to = arena_alloc(arena, text.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool ends = i % (COLUMNS + 1) == COLUMNS || i + 1 == text.len;
        if (ends != (text.data[i] == '\n'))
            return false;
        if (!ends)
            to[n++] = text.data[i];
    }
    *out = (struct bytes){to, n};
    return n > 0;
}

static int open_armour(struct bytes armour, struct arena *arena, struct bytes *blob,
                       struct err *err)
{
    size_t head = strlen(BEGIN), tail = strlen(END);
    struct bytes base64;
    if (armour.len > SSHSIG_BYTES_MAX || armour.len < head + tail ||
        memcmp(armour.data, BEGIN, head) != 0 ||
        memcmp(armour.data + armour.len - tail, END, tail) != 0)
        return not_armour(err);
    const struct bytes body = {armour.data + head, armour.len - head - tail};
    if (!join_lines(body, arena, &base64) || !base64_decode(base64.data, base64.len, arena, blob))
        return not_armour(err);
    return 0;
}

/* Is the algorithm that of the key? RSA has two (RFC 8332). */
static bool is_of_key(struct bytes algorithm, struct sshsig *out)
{
    if (out->key.numbers.kind != PUBLIC_KEY_RSA)
        return sshkey_bytes_are(algorithm, out->key.type);
    out->signature.sha256 = sshkey_bytes_are(algorithm, "rsa-sha2-256");
    return out->signature.sha256 || sshkey_bytes_are(algorithm, "rsa-sha2-512");
}

/* The two numbers of ECDSA are a string of two strings (RFC 5656, 3.1.2). */
static bool read_signature_numbers(struct bytes text, struct sshsig *out)
{
    struct sshkey_reader r = {text.data, text.len};
    out->signature.bytes = text;
    if (out->key.numbers.kind == PUBLIC_KEY_ED25519)
        return text.len == ED25519_SIGNATURE_BYTES;
    if (out->key.numbers.kind == PUBLIC_KEY_RSA)
        return text.len == out->key.numbers.point.len;
    return sshkey_take_positive(&r, &out->signature.bytes) &&
           sshkey_take_positive(&r, &out->signature.s) && r.left == 0;
}

static bool read_use(struct sshkey_reader *r, struct sshsig *out)
{
    if (r->left == 0)
        return false;
    out->flags = (unsigned char)*r->at++;
    r->left--;
    return sshkey_take_number(r, &out->counter);
}

static int read_sshsig_blob(struct bytes blob, struct sshsig *out, struct err *err)
{
    struct sshkey_reader r = {blob.data, blob.len};
    struct bytes algorithm, text;
    if (!sshkey_take_string(&r, &algorithm) || !is_of_key(algorithm, out) ||
        !sshkey_take_string(&r, &text) || !read_signature_numbers(text, out) ||
        (out->key.hardware && !read_use(&r, out)) || r.left)
        return err_set(err, ERR_INPUT, "contains no signature of its key's type, %s",
                       out->key.type);
    return 0;
}

int sshsig_parse(struct bytes armour, struct arena *arena, struct sshsig *out, struct err *err)
{
    struct bytes blob, key, namespace, reserved, hash, signature;
    unsigned version;
    *out = (struct sshsig){.namespace = ""};
    if (open_armour(armour, arena, &blob, err) < 0)
        return -1;
    struct sshkey_reader r = {blob.data, blob.len};
    if (r.left < strlen(MAGIC) || memcmp(r.at, MAGIC, strlen(MAGIC)) != 0)
        return not_armour(err);
    r.at += strlen(MAGIC);
    r.left -= strlen(MAGIC);
    if (!sshkey_take_number(&r, &version) || version != 1)
        return err_set(err, ERR_INPUT, "does not have version 1");
    if (!sshkey_take_string(&r, &key) || !sshkey_take_string(&r, &namespace) ||
        !sshkey_take_string(&r, &reserved) || !sshkey_take_string(&r, &hash) ||
        !sshkey_take_string(&r, &signature))
        return err_set(err, ERR_INPUT, "is truncated");
    if (r.left || reserved.len || memchr(namespace.data, '\0', namespace.len))
        return err_set(err, ERR_INPUT, "contains data beside the signature");
    if (!sshkey_bytes_are(hash, HASH))
        return err_set(err, ERR_INPUT, "uses the hash '%s', expected sha512",
                       foreign_name_shown(arena_strndup(arena, hash.data, hash.len), arena));
    out->namespace = arena_strndup(arena, namespace.data, namespace.len);
    if (!sshkey_parse(key, arena, &out->key))
        return err_set(err, ERR_INPUT, "contains no public key");
    if (!out->key.usable)
        return err_set(err, ERR_INPUT,
                       "was made with a key of type %s, expected Ed25519, ECDSA, RSA of 2048 bits "
                       "or more, or FIDO",
                       out->key.type);
    return read_sshsig_blob(signature, out, err);
}

static void add_number(struct buf *to, unsigned number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_char(to, (char)(number >> shift & 0xff));
}

static void add_string(struct buf *to, const void *data, size_t len)
{
    add_number(to, (unsigned)len);
    buf_add(to, data, len);
}

bool sshsig_tells_its_key(const struct sshsig *s)
{
    static const unsigned char neutral[ED25519_SIGNATURE_BYTES / 2] = {1};
    return s->key.numbers.kind == PUBLIC_KEY_ED25519 &&
           memcmp(s->signature.bytes.data, neutral, sizeof neutral) == 0;
}

bool sshsig_holds(const struct sshsig *s, const char *namespace, struct bytes message)
{
    struct buf to = BUF_INIT(SSHSIG_BYTES_MAX * 2);
    if (strcmp(s->namespace, namespace) != 0)
        return false;
    /* What ssh-keygen signs instead of the message. */
    unsigned char digest[HASH_SHA512_BYTES];
    hash_sha512(message.data, message.len, digest);
    buf_str(&to, MAGIC);
    add_string(&to, namespace, strlen(namespace));
    add_string(&to, "", 0);
    add_string(&to, HASH, strlen(HASH));
    add_string(&to, digest, sizeof digest);
    if (s->key.hardware) {
        /* What a FIDO key signs instead of those bytes (PROTOCOL.u2f, "SSH U2F signatures"). */
        unsigned char of_application[HASH_SHA256_BYTES], of_bytes[HASH_SHA256_BYTES];
        hash_sha256_raw(s->key.application.data, s->key.application.len, of_application);
        hash_sha256_raw(to.data, to.len, of_bytes);
        buf_clear(&to);
        buf_add(&to, (const char *)of_application, sizeof of_application);
        buf_char(&to, (char)s->flags);
        add_number(&to, s->counter);
        buf_add(&to, (const char *)of_bytes, sizeof of_bytes);
    }
    bool holds = signature_holds(&s->key.numbers, &s->signature, (struct bytes){to.data, to.len});
    buf_release(&to);
    return holds;
}
