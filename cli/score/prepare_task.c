#include "cli/score/prepare_task.h"

#include <stdio.h>

#define SIDE 336 /* pixels, of CLIP ViT-L/14-336 */

static void show_drawn(void *context, size_t done)
{
    struct cli *cli = context;
    if (cli->progress)
        fprintf(stderr, "\r%zu images \033[K", done);
}

static int prepare_them(struct cli *cli, struct prepare_conversations *p, struct err *err)
{
    for (int i = 0; i < cli->n_args; i++)
        if (prepare_conversations_file(p, cli->args[i], &cli->diags, err) < 0)
            return -1;
    int rc = prepare_conversations_end(p, show_drawn, cli, err);
    if (cli->progress)
        fputs("\r\033[K", stderr);
    return rc;
}

int prepare_task_conversations(struct cli *cli, const struct conversation_format *format)
{
    const struct options *o = &cli->opt;
    struct prepare_conversations_wish wish = {format, o->tokenizer, o->images, o->out, SIDE};
    struct prepare_conversations p;
    struct err err = ERR_INIT;
    if (o->pack)
        return cli_usage(cli, "--pack is only for texts, found --texts %s", format->name);
    if (o->side && cli_number("side", o->side, 1, IMAGE_FIT_SIDE_MAX, &wish.side, &err) < 0)
        return cli_fail(cli, &err);
    int rc = prepare_conversations_begin(&p, &wish, &err);
    if (p.partial.found)
        cli_note(cli,
                 "%s: removed files that an interrupted `prepare` had "
                 "left",
                 p.partial.partial);
    if (rc == 0)
        rc = prepare_them(cli, &p, &err);
    int code = EXIT_AGREED;
    if (rc == 0) {
        cli_note(cli, "%zu samples: %zu tokens, %zu of them targets, %zu images", p.samples,
                 p.tokens, p.targets, p.n_pictures);
        if (p.mismatches)
            cli_note(cli, "%zu samples have no targets: their answers cannot be distinguished",
                     p.mismatches);
        buf_printf(&cli->out, "%s  %s/" PREPARED_RECORD "\n", p.record_sha256, p.wish.folder);
    } else
        code = err.kind ? cli_fail(cli, &err) : cli_diags(cli);
    prepare_conversations_release(&p);
    return code;
}
