/*
 * inputs: what a word of the command line stands for, and the records and pages among them.
 *
 * A path is known by its ending; a file with another ending by its content; and a word that is
 * neither may be VENDOR/CASE of the records, which the caller looks up. A path that is not there
 * is unreadable input (exit 3), a name that is not known a wrong word (exit 2).
 */
#pragma once

#include "base/project/project.h"
#include "cli/cli.h"

enum input_kind {
    INPUT_UNKNOWN,    /* no ending that tells, or a file whose content does not tell either */
    INPUT_RECORD,     /* .json */
    INPUT_PAGE,       /* .md */
    INPUT_SUBMISSION, /* .tar.zst */
    INPUT_BUNDLE,     /* .bundle.tar: base/project/bundle.h */
    INPUT_LOOSE,      /* a log, a monitor, or a folder of them */
    INPUT_KINDS
};

/* By the ending of the name; of a .txt that is there, by its content. */
enum input_kind input_by_name(struct cli *cli, const char *word);

/* Of something that is there, whatever it is called. */
enum input_kind input_by_content(struct cli *cli, const char *path);

/* Has it an environment or tables, as every page has and no log? */
bool input_claims(const struct result *r);

/* Is this word meant as a path: is it there, or written as no name of a record is? */
bool input_is_path(const char *word);

/* Nothing could be made of `word`: an exit code, after a message that ends in what was expected. */
int input_refuse(struct cli *cli, const char *word, const char *expected);

/* A page that was published, or a record, as a result. What the archive's log knows of the evidence
 * that a record names holds for it wherever it lies; a page names none. Exit codes; what is wrong
 * with it is in cli->diags. *out is NULL when it cannot be used. */
int input_read_page(struct cli *cli, const char *path, const struct result **out);
int input_read_record(struct cli *cli, struct project *p, const char *path,
                      const struct result **out);

/* The folder that the evidence of a record is below: …/records of
 * "…/records/results/<vendor>/<case>.json"; else `otherwise`, the project's, or without a project
 * that of the record: evidence of other records is not its own. */
const char *input_records_of(struct cli *cli, const char *path, const char *otherwise);
