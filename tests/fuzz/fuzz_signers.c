/* A file of allowed_signers, read as one of revoked keys, too; then asked for each key in it. */
#include "tests/fuzz/fuzz.h"

#include "base/signing/signers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct signers s = {0};
    const char *why;
    const struct bytes text = {(const char *)data, size};
    diags_init(&diags, &arena);
    signers_read("signers", text, &arena, &s, &diags);
    for (size_t i = 0; i < s.n && i < 100; i++) {
        const struct signers_question q = {&s.items[i].key, "acme", "n", (long long)size};
        signers_find(&s, &q, &arena, &why);
    }
    signers_read_revoked("revoked", text, &arena, &s, &diags);
    arena_release(&arena);
    return 0;
}
