/*
 * flip_bits SUBMISSION SIGNERS VENDOR [EVERY [SEED]]: every bit of a signed submission flipped, one
 * by one (or every EVERYth, from one that SEED chooses): how many are taken for a signed
 * submission. Prints the bits that are, and ends with 1 when there is one, or when the submission
 * as it is would not be taken.
 */
#include "base/files/file.h"
#include "base/sealed/submission.h"
#include "base/signing/signers.h"
#include "base/signing/sshsig.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_signed(const struct submission *s, const struct signers *signers, const char *vendor,
                      struct arena *arena)
{
    struct err err = ERR_INIT;
    struct sshsig sig;
    const char *why;
    const struct bytes *statement = submission_file(s, SUBMISSION_STATEMENT);
    const struct bytes *armour = submission_file(s, SUBMISSION_SIGNATURE);
    if (!statement || !armour || sshsig_parse(*armour, arena, &sig, &err) < 0 ||
        !sshsig_holds(&sig, SSHSIG_SUBMISSION, *statement))
        return false;
    const struct signers_question q = {&sig.key, vendor, SSHSIG_SUBMISSION, 1};
    return signers_find(signers, &q, arena, &why) != NULL;
}

static bool is_taken(struct bytes packed, const struct signers *signers, const char *vendor)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct submission s;
    diags_init(&diags, &arena);
    bool taken = submission_open_bytes(packed, "x", &arena, &s, &diags) == 0 && s.intact &&
                 is_signed(&s, signers, vendor, &arena);
    arena_release(&arena);
    return taken;
}

int main(int argc, char **argv)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct err err = ERR_INIT;
    struct signers signers = {0};
    struct bytes packed;
    diags_init(&diags, &arena);
    if (argc < 4 || file_read(argv[1], ARCHIVE_PACKED_MAX, &arena, &packed, &err) < 0 ||
        signers_load(argv[2], &arena, &signers, &diags) < 0 ||
        !is_taken(packed, &signers, argv[3])) {
        fprintf(stderr, "usage: flip_bits SUBMISSION SIGNERS VENDOR [EVERY [SEED]]\n%s\n",
                err.text);
        return 1;
    }
    size_t every = argc > 4 ? strtoul(argv[4], NULL, 10) : 1;
    size_t bit = argc > 5 && every ? strtoul(argv[5], NULL, 10) % every : 0, tried = 0, taken = 0;
    for (; every && bit < packed.len * 8; bit += every, tried++) {
        char *byte = (char *)packed.data + bit / 8;
        *byte ^= (char)(1 << bit % 8);
        if (is_taken(packed, &signers, argv[3])) {
            printf("byte %zu, bit %zu: taken\n", bit / 8, bit % 8);
            taken++;
        }
        *byte ^= (char)(1 << bit % 8);
    }
    printf("%zu bits of %zu flipped, %zu taken\n", tried, packed.len * 8, taken);
    arena_release(&arena);
    return taken > 0;
}
