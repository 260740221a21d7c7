#include "base/signing/sshkey.h"

#include "base/signing/base64.h"

#include <stdint.h>
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

bool sshkey_is_type(const char *word)
{
    static const char *const types[] = {
        SSHKEY_ED25519,
        "ssh-rsa",
        "ssh-dss",
        "ecdsa-sha2-nistp256",
        "ecdsa-sha2-nistp384",
        "ecdsa-sha2-nistp521",
        "sk-ssh-ed25519@openssh.com",
        "sk-ecdsa-sha2-nistp256@openssh.com",
        "ssh-ed25519-cert-v01@openssh.com",
        "ssh-rsa-cert-v01@openssh.com",
        "ssh-dss-cert-v01@openssh.com",
        "ecdsa-sha2-nistp256-cert-v01@openssh.com",
        "ecdsa-sha2-nistp384-cert-v01@openssh.com",
        "ecdsa-sha2-nistp521-cert-v01@openssh.com",
        "sk-ssh-ed25519-cert-v01@openssh.com",
        "sk-ecdsa-sha2-nistp256-cert-v01@openssh.com",
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i], word) == 0)
            return true;
    return false;
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

bool sshkey_parse(struct bytes blob, struct arena *arena, struct sshkey *out)
{
    struct sshkey_reader r = {blob.data, blob.len};
    struct bytes type, key;
    *out = (struct sshkey){.blob = blob};
    if (!sshkey_take_string(&r, &type) || type.len == 0 || type.len > TYPE_MAX ||
        memchr(type.data, '\0', type.len))
        return false;
    out->type = arena_strndup(arena, type.data, type.len);
    if (!sshkey_is_type(out->type))
        return false;
    out->fingerprint = fingerprint_of(blob, arena);
    if (strcmp(out->type, SSHKEY_ED25519) != 0)
        return true;
    out->usable = sshkey_take_string(&r, &key) && key.len == sizeof out->ed25519 && r.left == 0;
    if (out->usable)
        memcpy(out->ed25519, key.data, key.len);
    return out->usable;
}

bool sshkey_same(const struct sshkey *a, const struct sshkey *b)
{
    return a->blob.len == b->blob.len && memcmp(a->blob.data, b->blob.data, a->blob.len) == 0;
}
