/*
 * sign: have ssh-keygen sign something, and read whose signatures count.
 *
 * Signing is left to `ssh-keygen -Y sign`: it reads every private key that OpenSSH writes, asks
 * for passphrases on the terminal, and with a public key (.pub) asks ssh-agent. No private key is
 * ever in this process.
 */
#pragma once

#include "base/project/project.h"
#include "base/signing/signers.h"
#include "cli/cli.h"
#include "collector/submission/seal.h"

/* The signature of a text for a purpose (base/signing/sshsig.h), by the key in this file. */
int cli_sign_for(const char *key, const char *namespace, struct bytes text, struct buf *armour,
                 struct err *err);

/* The signature of a statement by `self` (const char *, the key file): a seal_signer's function. */
int cli_sign(void *self, struct bytes statement, struct buf *armour, struct err *err);

/* --signers, --revoked and --at, or else what the records have (base/signing/signers.h), become
 * those of the project. An exit code; what is wrong is in cli->diags. */
int cli_signers(struct cli *cli, struct project *p);
