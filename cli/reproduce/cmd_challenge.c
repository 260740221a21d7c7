#include "base/records/challenge.h"

#include "base/files/file.h"
#include "base/signing/hash.h"
#include "base/signing/signers.h"
#include "base/store/store_log.h"
#include "cli/train/training.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

/* The fingerprint of the one key in the file that --key names; "" without one. */
static int read_challenge_key(struct cli *cli, const char **out)
{
    struct signers keys = {.file = NULL};
    const char *path = cli->opt.key;
    *out = "";
    if (!path)
        return EXIT_AGREED;
    if (signers_load_revoked(path, &cli->arena, &keys, &cli->diags) < 0)
        return exit_worse(cli_diags(cli), EXIT_INPUT);
    if (keys.n_revoked != 1 || !keys.revoked[0].usable) {
        diags_add(
            &cli->diags, SEVERITY_ERROR, path, 1, 0,
            "found %zu keys, expected one public key for signing, as ssh-keygen writes it (.pub)",
            keys.n_revoked);
        return cli_diags(cli);
    }
    *out = keys.revoked[0].fingerprint;
    return EXIT_AGREED;
}

/* The seed is the native trainer's; what another program makes of it nobody here could repeat. */
static int read_challenged_case(struct cli *cli, struct training *t)
{
    int code = training_case(cli, t);
    if (code)
        return exit_worse(cli_diags(cli), code);
    if (strcmp(t->record.trainer, "native") != 0)
        return cli_usage(cli,
                         "an external command trains the case %s, but only fpreport's own trainer "
                         "can use the seed of a challenge",
                         t->record.id);
    return EXIT_AGREED;
}

/* A challenge cannot be made again: without its nonce no answer to it can be held to it. One that
 * could not be written was not issued, and is not printed instead. */
static int deliver(struct cli *cli)
{
    struct err err = ERR_INIT;
    const char *out = cli->opt.out;
    if (!out || strcmp(out, "-") == 0)
        return EXIT_AGREED;
    int rc = buf_check(&cli->out, out, &err);
    if (rc == 0)
        rc = file_write_new(out, cli->out.data, cli->out.len, &err);
    buf_clear(&cli->out);
    if (rc < 0)
        return cli_fail(cli, &err);
    if (rc == FILE_THERE)
        return cli_usage(
            cli,
            "%s already exists and may be a challenge that was already issued: name another "
            "file",
            out);
    return EXIT_AGREED;
}

static int issue(struct cli *cli, struct challenge *c)
{
    unsigned char nonce[CHALLENGE_NONCE_BYTES];
    struct err err = ERR_INIT;
    if (getrandom(nonce, sizeof nonce, 0) != sizeof nonce) {
        err_errno(&err, ERR_IO, "getrandom");
        return cli_fail(cli, &err);
    }
    challenge_issue(c, nonce, &cli->arena);
    shape_save_text(&challenge_shape, c, &cli->out);
    int code = deliver(cli);
    if (code == EXIT_AGREED)
        cli_note(cli, "round %s: case %s, vendor %s, seed %lld", c->round, c->case_id, c->vendor,
                 c->seed);
    return code;
}

static int run_challenge(struct cli *cli)
{
    struct training t = {.name = cli->args[0]};
    char sha256[HASH_HEX_SIZE], now[STORE_TIME_SIZE];
    if (!cli->opt.vendor || !shape_is_id(cli->opt.vendor))
        return cli_usage(cli, "challenge needs --vendor ID, the vendor that must run the case");
    store_time_write((long long)time(NULL), now);
    now[strlen("YYYY-MM-DD")] = '\0';
    struct challenge c = {.vendor = cli->opt.vendor, .date = now};
    int code = read_challenge_key(cli, &c.key);
    if (code == 0)
        code = read_challenged_case(cli, &t);
    if (code)
        return code;
    /* An answer of a misspelt vendor would be nobody's. */
    struct err ignored = ERR_INIT;
    const char *path = arena_printf(&cli->arena, "%s/vendors/%s.json", cli_records(cli), c.vendor);
    if (file_is_there(path, &ignored) == 0)
        cli_warn(cli,
                 "%s: this record does not exist, so the challenge is for a vendor without a "
                 "record",
                 path);
    hash_sha256(t.bytes.data, t.bytes.len, sha256);
    c.case_id = t.record.id;
    c.case_sha256 = sha256;
    return issue(cli, &c);
}

static const enum option_id options[] = {OPTION_VENDOR, OPTION_KEY, OPTION_OUT, OPTION_RECORDS,
                                         OPTION_END};

const struct command command_challenge = {
    .name = "challenge",
    .summary = "issue a fresh, unpredictable seed for a vendor's run",
    .arguments = "CASE",
    .examples = "  fpreport challenge tiny_llama --vendor acme -o challenge.json\n"
                "  fpreport challenge tiny_llama --vendor acme --key acme.pub -o challenge.json\n"
                "  fpreport train tiny_llama --challenge challenge.json\n",
    .details = "\n"
               "A challenge is a random number of 256 bits for this case and vendor. From this\n"
               "number follows the seed of the data order and the initial weights, so nobody can\n"
               "compute the loss curve in advance. Keep the challenge file, because the vendor's\n"
               "run must name the challenge. challenge never overwrites a file.\n"
               "docs/FIELDS.md explains how the seed is computed.\n",
    .options = options,
    .out_meaning = "write to this file; - is standard output",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = run_challenge,
};
