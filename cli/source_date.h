/*
 * source_date: SOURCE_DATE_EPOCH (reproducible-builds.org), the only time that a build or a
 * publication knows besides those of its records: the same value gives the same bytes.
 */
#ifndef CLI_SOURCE_DATE_H
#define CLI_SOURCE_DATE_H

#include "cli/cli.h"

/* Seconds since 1970, or -1 when it is not set. EXIT_USAGE, said, when it is no number. */
int source_date(struct cli *cli, long long *seconds);

/* The same as "2026-11-21T04:30:00Z"; NULL when it is not set. */
int source_date_text(struct cli *cli, const char **text);

#endif
