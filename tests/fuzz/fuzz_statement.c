/* A statement beside files, and the same bytes as each of the files that one is made from. */
#include "tests/fuzz/fuzz.h"

#include "base/sealed/statement.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char manifest[] =
        "0000000000000000000000000000000000000000000000000000000000000000";
    struct arena arena = ARENA_INIT;
    struct diags diags;
    const char *copy = arena_strndup(&arena, (const char *)data, size);
    const struct bytes text = {copy, size};
    const struct tar_member members[] = {
        {"case.json", text}, {"run.json", text}, {"x/fingerprint.json", text}};
    diags_init(&diags, &arena);
    statement_problem(text, manifest, &arena);
    statement_finished(text, &arena);
    statement_difference("statement.json", text, members, 3, manifest, &arena, &diags);
    arena_release(&arena);
    return 0;
}
