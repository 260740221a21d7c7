#include "base/signing/signature.h"

#include <stddef.h>

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>

static const struct kind {
    const char *type, *curve; /* as OpenSSL calls them */
    size_t point;             /* bytes; 0: the modulus says */
    const char *hash;         /* NULL: of its own, or the signature's */
} kinds[] = {
    [PUBLIC_KEY_OTHER] = {NULL, NULL, 0, NULL},
    [PUBLIC_KEY_ED25519] = {"ED25519", NULL, 32, NULL},
    [PUBLIC_KEY_P256] = {"EC", "P-256", 65, "SHA256"},
    [PUBLIC_KEY_P384] = {"EC", "P-384", 97, "SHA384"},
    [PUBLIC_KEY_P521] = {"EC", "P-521", 133, "SHA512"},
    [PUBLIC_KEY_RSA] = {"RSA", NULL, 0, NULL},
};

bool public_key_has_size(const struct public_key *key)
{
    const struct kind *k = &kinds[key->kind];
    struct bytes number = key->point;
    size_t bits = 8 * number.len;
    for (unsigned char first = number.len ? (unsigned char)number.data[0] : 0; first && first < 128;
         first = (unsigned char)(first << 1))
        bits--;
    if (key->kind == PUBLIC_KEY_RSA)
        return bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX && key->exponent.len <= key->point.len;
    return k->type && key->point.len == k->point && (!k->curve || key->point.data[0] == 4);
}

static BIGNUM *big_number(struct bytes b)
{
    return BN_bin2bn((const unsigned char *)b.data, (int)b.len, NULL);
}

static bool push_numbers(OSSL_PARAM_BLD *to, const struct public_key *key, BIGNUM *n, BIGNUM *e)
{
    const char *curve = kinds[key->kind].curve;
    if (key->kind == PUBLIC_KEY_RSA)
        return n && e && OSSL_PARAM_BLD_push_BN(to, OSSL_PKEY_PARAM_RSA_N, n) &&
               OSSL_PARAM_BLD_push_BN(to, OSSL_PKEY_PARAM_RSA_E, e);
    return (!curve || OSSL_PARAM_BLD_push_utf8_string(to, OSSL_PKEY_PARAM_GROUP_NAME, curve, 0)) &&
           OSSL_PARAM_BLD_push_octet_string(to, OSSL_PKEY_PARAM_PUB_KEY, key->point.data,
                                            key->point.len);
}

/* NULL: the numbers are no key. The caller frees it. */
static EVP_PKEY *make_public_key(const struct public_key *key)
{
    EVP_PKEY *made = NULL;
    OSSL_PARAM *params = NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, kinds[key->kind].type, NULL);
    BIGNUM *n = big_number(key->point), *e = big_number(key->exponent);
    if (build && ctx && push_numbers(build, key, n, e) &&
        (params = OSSL_PARAM_BLD_to_param(build)) && EVP_PKEY_fromdata_init(ctx) == 1 &&
        EVP_PKEY_fromdata(ctx, &made, EVP_PKEY_PUBLIC_KEY, params) != 1)
        made = NULL;
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(ctx);
    BN_free(n);
    BN_free(e);
    return made;
}

static bool bytes_hold(EVP_PKEY *key, const char *hash, const unsigned char *signature, size_t n,
                       struct bytes message)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool yes =
        ctx && EVP_DigestVerifyInit_ex(ctx, NULL, hash, NULL, NULL, key, NULL) == 1 &&
        EVP_DigestVerify(ctx, signature, n, (const unsigned char *)message.data, message.len) == 1;
    EVP_MD_CTX_free(ctx);
    return yes;
}

/* OpenSSL takes r and s as DER. */
static bool pair_holds(EVP_PKEY *key, const char *hash, const struct key_signature *signature,
                       struct bytes message)
{
    unsigned char *der = NULL;
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = big_number(signature->bytes), *s = big_number(signature->s);
    bool set = pair && r && s && ECDSA_SIG_set0(pair, r, s) == 1;
    int n = set ? i2d_ECDSA_SIG(pair, &der) : 0;
    bool yes = n > 0 && bytes_hold(key, hash, der, (size_t)n, message);
    if (!set) {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(pair);
    OPENSSL_free(der);
    return yes;
}

bool signature_holds(const struct public_key *key, const struct key_signature *signature,
                     struct bytes message)
{
    const struct kind *k = &kinds[key->kind];
    EVP_PKEY *made = public_key_has_size(key) ? make_public_key(key) : NULL;
    const char *of_rsa = signature->sha256 ? "SHA256" : "SHA512";
    bool yes = false;
    if (made && k->curve)
        yes = pair_holds(made, k->hash, signature, message);
    else if (made)
        yes =
            bytes_hold(made, key->kind == PUBLIC_KEY_RSA ? of_rsa : NULL,
                       (const unsigned char *)signature->bytes.data, signature->bytes.len, message);
    EVP_PKEY_free(made);
    return yes;
}

void signature_warm(void)
{
    static const char zeros[ED25519_SIGNATURE_BYTES];
    static const char *const others[] = {"ECDSA", "RSA"}, *const hashes[] = {"SHA256", "SHA384",
                                                                             "SHA512"};
    const struct public_key key = {.kind = PUBLIC_KEY_ED25519, .point = {zeros, 32}};
    const struct key_signature none = {.bytes = {zeros, sizeof zeros}};
    unsigned char random[1];
    signature_holds(&key, &none, (struct bytes){"", 0});
    RAND_bytes(random,
               1); /* as well as they are drawn for blinding, on curves without code of their own */
    RAND_priv_bytes(random, 1);
    for (size_t i = 0; i < 2; i++) {
        EVP_SIGNATURE_free(EVP_SIGNATURE_fetch(NULL, others[i], NULL));
        EVP_KEYMGMT_free(
            EVP_KEYMGMT_fetch(NULL, kinds[i ? PUBLIC_KEY_RSA : PUBLIC_KEY_P256].type, NULL));
    }
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        EVP_MD_free(EVP_MD_fetch(NULL, hashes[i], NULL));
}
