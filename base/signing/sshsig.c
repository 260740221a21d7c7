#include "base/signing/sshsig.h"

#include "base/foreign.h"
#include "base/signing/base64.h"

#include <string.h>

#define BEGIN "-----BEGIN SSH SIGNATURE-----\n"
#define END "-----END SSH SIGNATURE-----\n"
#define COLUMNS 70
#define MAGIC "SSHSIG"
#define HASH "sha512"

static int not_armour(struct err *err)
{
    return err_set(err, ERR_INPUT, "is not an SSH signature as ssh-keygen writes it");
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

static const char *namespace_shown(struct bytes b, struct arena *arena)
{
    return foreign_name_shown(arena_strndup(arena, b.data, b.len), arena);
}

static int read_sshsig_key(struct bytes blob, struct arena *arena, struct sshsig *out,
                           struct err *err)
{
    if (!sshkey_parse(blob, arena, &out->key))
        return err_set(err, ERR_INPUT, "names no public key");
    if (!out->key.usable)
        return err_set(err, ERR_INPUT, "is made by a key of type %s, expected ssh-ed25519",
                       out->key.type);
    return 0;
}

static int read_sshsig_blob(struct bytes blob, struct sshsig *out, struct err *err)
{
    struct sshkey_reader r = {blob.data, blob.len};
    struct bytes type, signature;
    if (!sshkey_take_string(&r, &type) || !sshkey_bytes_are(type, SSHKEY_ED25519) ||
        !sshkey_take_string(&r, &signature) || signature.len != sizeof out->signature || r.left)
        return err_set(err, ERR_INPUT, "holds no Ed25519 signature");
    memcpy(out->signature, signature.data, signature.len);
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
        return err_set(err, ERR_INPUT, "is not of version 1");
    if (!sshkey_take_string(&r, &key) || !sshkey_take_string(&r, &namespace) ||
        !sshkey_take_string(&r, &reserved) || !sshkey_take_string(&r, &hash) ||
        !sshkey_take_string(&r, &signature))
        return err_set(err, ERR_INPUT, "is cut short");
    if (r.left || reserved.len || memchr(namespace.data, '\0', namespace.len))
        return err_set(err, ERR_INPUT, "holds more than a signature");
    if (!sshkey_bytes_are(hash, HASH))
        return err_set(err, ERR_INPUT, "uses the hash '%s', expected sha512",
                       namespace_shown(hash, arena));
    out->namespace = arena_strndup(arena, namespace.data, namespace.len);
    if (read_sshsig_key(key, arena, out, err) < 0)
        return -1;
    return read_sshsig_blob(signature, out, err);
}

static void add_string(struct buf *to, const void *data, size_t len)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_char(to, (char)(len >> shift & 0xff));
    buf_add(to, data, len);
}

bool sshsig_tells_its_key(const struct sshsig *s)
{
    static const unsigned char neutral[HASH_ED25519_SIGNATURE_BYTES / 2] = {1};
    return memcmp(s->signature, neutral, sizeof neutral) == 0;
}

bool sshsig_holds(const struct sshsig *s, const char *namespace, struct bytes message)
{
    unsigned char digest[HASH_SHA512_BYTES];
    struct buf signed_bytes;
    if (strcmp(s->namespace, namespace) != 0)
        return false;
    hash_sha512(message.data, message.len, digest);
    buf_init(&signed_bytes, SSHSIG_BYTES_MAX * 2);
    buf_str(&signed_bytes, MAGIC);
    add_string(&signed_bytes, namespace, strlen(namespace));
    add_string(&signed_bytes, "", 0);
    add_string(&signed_bytes, HASH, strlen(HASH));
    add_string(&signed_bytes, digest, sizeof digest);
    bool holds =
        hash_ed25519_holds(s->key.ed25519, s->signature, signed_bytes.data, signed_bytes.len);
    buf_release(&signed_bytes);
    return holds;
}
