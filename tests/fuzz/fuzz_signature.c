/* An armoured SSH signature. What is read holds for no message that it was not made for. */
#include "tests/fuzz/fuzz.h"

#include "base/signing/sshsig.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct sshsig s;
    const struct bytes armour = {(const char *)data, size};
    if (sshsig_parse(armour, &arena, &s, &err) == 0 &&
        sshsig_holds(&s, SSHSIG_SUBMISSION, (struct bytes){"nobody signed this", 18}))
        abort();
    arena_release(&arena);
    return 0;
}
