#include "base/records/challenge.h"

#include "base/files/file.h"
#include "base/signing/hash.h"

#include <string.h>

#define PURPOSE "fpreport-seed-v1"

static const struct field challenge_fields[] = {
    FIELD(ID, struct challenge, round, .required = true,
          .doc = "name of the challenge: the date and the beginning of the nonce"),
    {.key = "case",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct challenge, case_id),
     .doc = "id of the case to run"},
    FIELD(SHA256, struct challenge, case_sha256, .required = true,
          .doc = "SHA-256 of the case file"),
    FIELD(ID, struct challenge, vendor, .required = true,
          .doc = "id of the vendor that must run the case"),
    FIELD(TEXT, struct challenge, key, .required = true,
          .doc = "fingerprint (`SHA256:…`) of the key that must sign the submission; if empty, any "
                 "key may sign"),
    FIELD(SHA256, struct challenge, nonce, .required = true,
          .doc = "256 random bits, in hexadecimal"),
    FIELD(DATE, struct challenge, date, .required = true, .doc = "date of issue (UTC)"),
    FIELD(COUNT, struct challenge, seed, .required = true,
          .doc = "seed of data order and initial weights, computed from nonce, key and case"),
};

static const char *round_name(struct arena *arena, const char *date, const char *nonce)
{
    return arena_printf(arena, "%s-%.12s", date, nonce);
}

static bool is_key_fingerprint(const char *key)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789+/";
    static const char kind[] = "SHA256:";
    return strlen(key) == CHALLENGE_KEY_LENGTH && strncmp(key, kind, sizeof kind - 1) == 0 &&
           strspn(key + sizeof kind - 1, allowed) == CHALLENGE_KEY_LENGTH - (sizeof kind - 1);
}

static void check_challenge(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct challenge *c = value;
    const struct json *key = json_get(at, "key"), *seed = json_get(at, "seed");
    if (*c->key && !is_key_fingerprint(c->key)) {
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, key->line, key->col,
                  "found key \"%s\", expected SHA256: and 43 characters, as ssh-keygen -l prints "
                  "it, or \"\"",
                  c->key);
        return;
    }
    if (c->seed != challenge_seed(c))
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, seed->line, seed->col,
                  "found seed %lld, expected %lld, which nonce, key and case give: the challenge "
                  "was altered",
                  c->seed, challenge_seed(c));
    /* Which nothing else binds to each other: the date is no part of the seed. */
    const struct json *round = json_get(at, "round");
    const char *expected = round_name(ctx->arena, c->date, c->nonce);
    if (strcmp(c->round, expected) != 0)
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, round->line, round->col,
                  "found round \"%s\", expected \"%s\", which date and nonce give: the challenge "
                  "was altered",
                  c->round, expected);
}

const struct shape challenge_shape =
    SHAPE("challenge", struct challenge, challenge_fields,
          .doc = "A challenge is an unpredictable seed for one case and one vendor (`fpreport "
                 "challenge`).",
          .schema = CHALLENGE_SCHEMA, .check = check_challenge);

long long challenge_seed(const struct challenge *c)
{
    const char *const parts[] = {PURPOSE, c->nonce, c->key, c->case_sha256};
    unsigned char raw[HASH_SHA256_BYTES];
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    unsigned long long first = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        buf_str(&text, parts[i]);
    hash_sha256_raw(text.data, text.len, raw);
    buf_release(&text);
    for (int i = 0; i < 8; i++)
        first = first << 8 | raw[i];
    return (long long)(first >> 11);
}

void challenge_issue(struct challenge *c, const unsigned char nonce[CHALLENGE_NONCE_BYTES],
                     struct arena *arena)
{
    char *hex = arena_alloc(arena, 2 * CHALLENGE_NONCE_BYTES + 1);
    for (int i = 0; i < CHALLENGE_NONCE_BYTES; i++) {
        hex[2 * i] = "0123456789abcdef"[nonce[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[nonce[i] & 15];
    }
    hex[2 * CHALLENGE_NONCE_BYTES] = '\0';
    c->nonce = hex;
    c->round = round_name(arena, c->date, hex);
    c->seed = challenge_seed(c);
}

int challenge_read(const char *file, struct bytes text, struct arena *arena, struct challenge *out,
                   struct diags *diags)
{
    struct json *root;
    if (text.len > CHALLENGE_BYTES_MAX) {
        diags_add(diags, SEVERITY_ERROR, file, 0, 0, "found %zu bytes, expected at most %d",
                  text.len, CHALLENGE_BYTES_MAX);
        return -1;
    }
    if (json_parse(file, text, arena, &root, diags) < 0)
        return -1;
    return shape_load(&challenge_shape, root, file, out, arena, diags);
}

int challenge_load(const char *path, struct arena *arena, struct challenge *out,
                   struct diags *diags)
{
    struct err err = ERR_INIT;
    struct bytes text;
    if (file_read(path, CHALLENGE_BYTES_MAX, arena, &text, &err) < 0) {
        diags_add_err(diags, path, 0, 0, &err);
        return -1;
    }
    return challenge_read(path, text, arena, out, diags);
}

const char *challenge_other_case(const struct challenge *c, const char *case_id,
                                 struct bytes case_file, struct arena *arena)
{
    char sha256[HASH_HEX_SIZE];
    hash_sha256(case_file.data, case_file.len, sha256);
    if (strcmp(case_id, c->case_id) != 0)
        return arena_printf(arena, "is for case %s, found %s", c->case_id, case_id);
    if (strcmp(sha256, c->case_sha256) != 0)
        return arena_printf(arena, "is for case %s of SHA-256 %.16s…, found one of %.16s…",
                            c->case_id, c->case_sha256, sha256);
    return NULL;
}
