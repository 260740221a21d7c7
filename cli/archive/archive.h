/*
 * archive: where the archive of submissions is (base/store/store.h), and what the commands that
 * read submissions take from it: those that are not among the records, the day on which they came,
 * what is withdrawn.
 */
#pragma once

#include "base/project/project.h"
#include "base/sealed/submission.h"
#include "base/store/store.h"
#include "cli/cli.h"

/* --archive, else what records/site.json says, else the folder "archive" beside the records: this,
 * with ERR_INPUT or ERR_IO, also where that file is there and cannot be read. */
int cli_archive_root(struct cli *cli, const char **root, struct err *err);

/*
 * The archive becomes the project's, where there is one; results whose evidence was withdrawn and
 * whose record does not say so are withdrawn by the log. EXIT_INPUT, after messages, when the log
 * is not whole: what it withholds is not known then, and nothing may be published. EXIT_IO when
 * this machine could not read the log, or what evidence is of which run. No archive is no error,
 * unless --archive names it.
 */
int cli_archive(struct cli *cli, struct project *p);

/* The same of a result that is none of the project's, whose evidence lies below `records`: a record
 * that somebody names by its path. */
int cli_archive_result(struct cli *cli, struct project *p, struct result *r, const char *records);

/* The file of a submission that is not at this path, or has none: `word` names it as a record of
 * the project does that states its SHA-256, or is the beginning of its id or of that of its file (8
 * digits at least). NULL: there is something of this name elsewhere, or nothing in the archive. */
const char *cli_archive_find(struct cli *cli, const struct project *p, const char *word);

/* It, to write to (store_lock). */
int cli_archive_lock(struct cli *cli, struct store *s, struct err *err);

/* The same, to decide something about what is there: makes none, as a name that was mistyped would
 * be an archive from then on. */
int cli_archive_lock_there(struct cli *cli, struct store *s, struct err *err);

/* What a decision is about: ids that store_find() knows. */
struct archive_named {
    const char **ids;
    size_t n;
};

/* The word is an id, or the name of a result of the records, VENDOR/CASE: the submissions that it
 * rests on, all of which must be in the archive. An exit code; out->n is 0 on a failure. */
int cli_archive_named(struct cli *cli, const struct store *s, const char *word,
                      struct archive_named *out);

/* --reason and --reason-zh, of which one must be given. An exit code. */
int cli_archive_reason(struct cli *cli, struct words *out);

/* What of it is published: STORE_FULL … */
const char *cli_archive_published(const struct store_item *item);

/* Append an entry about a submission that is there, or one file of it, decided --by somebody. An
 * exit code. */
int cli_archive_decide(struct cli *cli, struct store *s, const struct store_item *item,
                       struct store_entry *e);

/* `fpreport archive add SUBMISSION…`: judge them, then keep what may be kept. An exit code. */
int cli_archive_add(struct cli *cli);

/* `fpreport archive redact ID|VENDOR/CASE …`: choose what of a submission is published. An exit
 * code. */
int cli_archive_redact(struct cli *cli);
