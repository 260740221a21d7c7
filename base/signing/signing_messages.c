/* signing_messages: what is wrong with signatures and keys, in both languages (base/sentence.h). */
#include "base/sentence.h"

#include <stddef.h>

/* clang-format off */
const struct words signing_messages[] = {
    {.en = "belongs to %s, not to %s",
     .zh = "属于 {1}，不属于 {2}"},
    {.en = "belongs to no signer: %s",
     .zh = "不属于任何签名者：{1}"},
    {.en = "may sign for %s, not for %s",
     .zh = "可用于签署 {1}，不可用于签署 {2}"},
    {.en = "has a limited validity period, but the statement has no end time",
     .zh = "只在一段时间内有效，而声明文件没有写明运行的结束时间"},
    {.en = "is valid from %s on, but not on %s",
     .zh = "自 {1} 起有效，{2} 时尚未生效"},
    {.en = "was valid until %s, but not on %s",
     .zh = "有效期至 {1}，{2} 时已失效"},
    {.en = "%s UTC",
     .zh = "{1} UTC"},
    {.en = "is not among the keys of %s",
     .zh = "不在 {1} 的密钥列表中"},
    {.en = "is revoked",
     .zh = "已被吊销"},
    {.en = "is not an SSH signature in the format of ssh-keygen",
     .zh = "不是 ssh-keygen 格式的 SSH 签名"},
    {.en = "contains no public key",
     .zh = "不含公钥"},
    {.en = "was made with a key of type %s, expected Ed25519, ECDSA, RSA of 2048 bits or more, or "
           "FIDO",
     .zh = "由 {1} 类型的密钥签署，应为 Ed25519、ECDSA、2048 位以上的 RSA 或 FIDO 密钥"},
    {.en = "contains no signature of its key's type, %s",
     .zh = "不含与密钥类型 {1} 相符的签名"},
    {.en = "does not have version 1",
     .zh = "签名格式的版本不是 1"},
    {.en = "is truncated",
     .zh = "不完整，数据被截断"},
    {.en = "contains data beside the signature",
     .zh = "除签名外还有多余数据"},
    {.en = "uses the hash '%s', expected sha512",
     .zh = "使用散列“{1}”，应为 sha512"},
    {NULL, NULL},
};
