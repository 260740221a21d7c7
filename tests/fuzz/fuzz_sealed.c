/* The whole way of a submission: the tar in it, without compression before it, through container,
 * manifest, statement and signature to the rules, into the records of a worker and out of them
 * again. As it came, and with a manifest and a statement made for it, so that what a file says gets
 * there. What is sealed is whole; no signature holds for another statement; what comes out of the
 * records is what went in. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_frame.h"

#include "base/sealed/statement.h"
#include "base/signing/sshsig.h"
#include "collector/submission/seal.h"
#include "verifier/runs/read_ahead.h"
#include "verifier/verdicts/verdict_shape.h"
#include "verifier/verdicts/verdicts.h"
#include "verifier/verify_parts.h"

#include <stdlib.h>
#include <string.h>

#define NAME "a.tar.zst"
#define SIZE_MOST 32768 /* more takes longer, and says no more */

static void pack_verdict(const struct verdict *v, struct buf *out)
{
    buf_init(out, (size_t)64 << 20);
    shape_hand_on(&verdict_shape, v, out);
}

/* Out of the records, and into them again. */
static void take_records(const struct audit *a, const struct verdict_evidence *known)
{
    struct buf packed, again, shown;
    struct verdict back;
    pack_verdict(a->verdict, &packed);
    if (!shape_take(&verdict_shape, (struct bytes){packed.data, packed.len}, &back, a->arena))
        abort();
    back.result = NULL;
    if (!verdict_take(&back, a->project, known, 1))
        abort();
    pack_verdict(&back, &again);
    if (packed.len != again.len || memcmp(packed.data, again.data, packed.len) != 0)
        abort();
    buf_init(&shown, (size_t)64 << 20);
    verdicts_json(&(struct verdicts){.items = &back, .n = 1}, &shown);
    buf_release(&packed);
    buf_release(&again);
    buf_release(&shown);
}

static void verify(struct bytes packed, struct arena *arena)
{
    static const struct project empty;
    struct project project = empty;
    struct verdict verdict;
    struct err err = ERR_INIT;
    struct read_ahead_file file = {.path = NAME, .bytes = packed};
    const struct read_ahead kept = {.files = &file, .n = 1};
    project.arena = arena;
    hash_sha256(packed.data, packed.len, file.sha256);
    struct audit a = {.project = &project,
                      .file = NAME,
                      .records = "",
                      .arena = arena,
                      .verdict = &verdict,
                      .read_ahead = &kept};
    const struct verdict_evidence known = {.archive = NAME, .sha256 = file.sha256};
    verify_begin(&a);
    if (verify_finish(&a, &err) == 0)
        take_records(&a, &known);
}

/* A signature that holds for two statements would be a forgery. */
static void try_signature(const struct submission *s, struct arena *arena)
{
    const struct bytes *statement = submission_file(s, SUBMISSION_STATEMENT);
    const struct bytes *armour = submission_file(s, SUBMISSION_SIGNATURE);
    struct sshsig signature;
    struct err err = ERR_INIT;
    if (statement)
        statement_difference(SUBMISSION_STATEMENT, *statement, s->files, s->n, s->id, arena,
                             &(struct diags){.arena = arena});
    if (!statement || !armour || sshsig_parse(*armour, arena, &signature, &err) < 0)
        return;
    char *other = arena_strndup(arena, statement->data, statement->len);
    other[statement->len / 2] ^= 1;
    if (statement->len &&
        sshsig_holds(&signature, SSHSIG_SUBMISSION, (struct bytes){other, statement->len}))
        abort();
}

static void look(struct bytes packed, bool made, struct arena *arena)
{
    struct submission s;
    struct diags diags;
    diags_init(&diags, arena);
    bool opened = submission_open_bytes(packed, NAME, arena, &s, &diags) == 0;
    if (made && !(opened && s.intact))
        abort();
    if (opened)
        try_signature(&s, arena);
    verify(packed, arena);
}

/* What it holds, but for what sealing makes. */
static void seal_again(const struct archive_contents *c, struct arena *arena)
{
    struct tar_member *members = arena_array(arena, c->n, sizeof *members);
    struct diags diags;
    struct buf packed;
    size_t n = 0;
    diags_init(&diags, arena);
    for (size_t i = 0; i < c->n; i++)
        if (!submission_is_outside(c->members[i].name))
            members[n++] = c->members[i];
    buf_init(&packed, BUF_DEFAULT_MAX);
    if (seal_members("it", members, n, false, &packed, arena, &diags) == 0)
        look((struct bytes){packed.data, packed.len}, true, arena);
    buf_release(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct archive_contents contents;
    struct err err = ERR_INIT;
    struct buf packed;
    if (size > SIZE_MOST)
        return 0;
    buf_init(&packed, BUF_DEFAULT_MAX);
    fuzz_frame(&packed, data, size);
    const struct bytes bytes = {packed.data, packed.len};
    if (archive_unpack(bytes, NAME, ARCHIVE_TOTAL_MAX, &arena, &contents, &err) == 0) {
        look(bytes, false, &arena);
        seal_again(&contents, &arena);
    }
    buf_release(&packed);
    arena_release(&arena);
    return 0;
}
