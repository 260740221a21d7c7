/* signing_messages: what is wrong with signatures and keys, in both languages (base/words.h). */
#include "base/words.h"

#include <stddef.h>

/* clang-format off */
const struct words signing_messages[] = {
    {.en = "is that of %s, not of %s",
     .zh = "属于 {1}，不属于 {2}"},
    {.en = "is that of nobody: %s",
     .zh = "不属于任何人：{1}"},
    {.en = "may sign for %s, not for %s",
     .zh = "可用于 {1}，不可用于 {2}"},
    {.en = "is limited in time, and the statement does not say when the run ended",
     .zh = "有时间限制，而声明没有写明运行何时结束"},
    {.en = "is valid from %s on, not on %s",
     .zh = "自 {1} 起有效，{2} 时无效"},
    {.en = "was valid until %s, not on %s",
     .zh = "有效期至 {1}，{2} 时无效"},
    {.en = "%s UTC",
     .zh = "{1} UTC"},
    {.en = "is not among the keys of %s",
     .zh = "不在 {1} 的密钥之中"},
    {.en = "is revoked",
     .zh = "已被吊销"},
    {.en = "is not an SSH signature as ssh-keygen writes it",
     .zh = "不是 ssh-keygen 所写形式的 SSH 签名"},
    {.en = "names no public key",
     .zh = "没有写明公钥"},
    {.en = "is made by a key of type %s, expected Ed25519, ECDSA, RSA of 2048 bits or more, or FIDO",
     .zh = "由 {1} 类型的密钥作出，应为 Ed25519、ECDSA、2048 位以上的 RSA 或 FIDO 密钥"},
    {.en = "holds no signature of its key's type, %s",
     .zh = "里没有其密钥类型 {1} 的签名"},
    {.en = "is not of version 1",
     .zh = "不是第 1 版"},
    {.en = "is cut short",
     .zh = "不完整"},
    {.en = "holds more than a signature",
     .zh = "除签名外还有别的内容"},
    {.en = "uses the hash '%s', expected sha512",
     .zh = "使用散列“{1}”，应为 sha512"},
    {NULL, NULL},
};
