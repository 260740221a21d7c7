#include "cli/cli.h"

#include "base/files/file.h"
#include "verifier/shard_merge.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the document goes: -o by way of a temporary file, else standard output. */
struct merged_to {
    struct file_cache *file; /* NULL: standard output */
};

static int put_merged(void *self, const void *data, size_t len, struct err *err)
{
    const struct merged_to *to = self;
    return to->file ? file_cache_add(to->file, data, len, err)
                    : file_write_all(STDOUT_FILENO, data, len, "standard output", err);
}

/* A record and its order: by results as cases are sorted, then by evidence. */
static int compare_lent(const void *a, const void *b)
{
    const struct shard_lent *x = a, *y = b;
    int order = x->seen - y->seen;
    if (!order && !x->seen) {
        order = strcmp(x->case_id, y->case_id);
        order = order ? order : strcmp(x->vendor, y->vendor);
    } else if (!order)
        order = (x->place > y->place) - (x->place < y->place);
    return order;
}

/* Of the same result they stay in their order: a stable sort of a short list. */
static void sort_lent(struct shard_lent *items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct shard_lent x = items[i];
        size_t k = i;
        for (; k > 0 && compare_lent(&items[k - 1], &x) > 0; k--)
            items[k] = items[k - 1];
        items[k] = x;
    }
}

static int write_shards_merged(struct cli *cli, const struct shard_set *s, const char *records,
                               const char *out)
{
    struct err err = ERR_INIT;
    struct file_cache file = {.fd = -1};
    struct merged_to to = {.file = out ? &file : NULL};
    int rc = out ? file_mkdirs_for(out, &err) : 0;
    if (rc == 0 && out)
        rc = file_cache_begin(&file, out, 0, &err);
    if (rc == 0)
        rc = shard_set_write(s, records, put_merged, &to, &err);
    if (rc == 0 && out)
        rc = file_cache_end(&file, "", 0, &err);
    if (out)
        file_cache_drop(&file);
    return rc < 0 ? cli_fail(cli, &err) : s->code;
}

static int run_merge(struct cli *cli)
{
    struct err err = ERR_INIT;
    struct shard_set s;
    const char *out = cli->opt.out && strcmp(cli->opt.out, "-") != 0 ? cli->opt.out : NULL;
    if (shard_set_open(cli->args[0], &cli->arena, &s, &err) < 0)
        return cli_fail(cli, &err);
    struct lent_list list = {NULL, 0};
    sort_lent(s.lent, s.n_lent);
    for (size_t i = 0; i < s.n_lent; i++) {
        bool has = false;
        for (size_t k = 0; k < list.n && !has; k++)
            has = strcmp(list.items[k].name, s.lent[i].name) == 0;
        if (!has)
            *(struct shard_lent *)ARENA_PUSH(&cli->arena, list.items, list.n) = s.lent[i];
    }
    return write_shards_merged(cli, &s, cli_lent_said(cli, &list), out);
}

static const enum option_id options[] = {OPTION_OUT, OPTION_END};

const struct command command_merge = {
    .name = "merge",
    .summary = "join the verdicts that several processes wrote (shards)",
    .arguments = "DIR",
    .examples = "  fpreport merge v\n"
                "  fpreport merge v -o verdicts.json\n",
    .details = "\n"
               "DIR contains the files that 'verify --shard K/N --format json -o DIR/K.json'\n"
               "wrote. merge prints the same document, and gives the same exit code, as 'verify\n"
               "--format json' for all results. If a shard is missing, damaged or made from\n"
               "other records, merge exits with 2.\n",
    .options = options,
    .out_meaning = "write the document to this file",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = run_merge,
};
