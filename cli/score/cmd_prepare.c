#include "cli/cli.h"
#include "trainer/conversations/prepare_conversations.h"
#include "trainer/tokens/prepare.h"

#include <stdio.h>
#include <string.h>

/* What `prepare` does with conversations (trainer/conversations). */

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

/* Of all files of the command line; an exit code. */
static int prepare_task_conversations(struct cli *cli, const struct conversation_format *format)
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
        cli_note(cli, "%s: removed files that an interrupted `prepare` had left",
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

#define PACK_MAX (1 << 20)
#define FORMAT_NAMES TEXT_FORMAT_NAMES ", " CONVERSATION_FORMAT_NAMES

static int check_model_and_folder(struct cli *cli)
{
    if (!cli->opt.tokenizer)
        return cli_usage(cli, "found no --tokenizer, expected a SentencePiece model");
    if (!cli->opt.out || strcmp(cli->opt.out, "-") == 0)
        return cli_usage(cli, "found no -o, expected the name of the output folder");
    return EXIT_AGREED;
}

static int read_wish(struct cli *cli, struct prepare_wish *wish)
{
    const struct options *o = &cli->opt;
    const char *name = o->texts ? o->texts : "text";
    struct err err = ERR_INIT;
    *wish = (struct prepare_wish){text_format_find(name), o->tokenizer, 0};
    int code = check_model_and_folder(cli);
    if (code)
        return code;
    if (!wish->format)
        return cli_usage(cli, "--texts: found '%s', expected " FORMAT_NAMES, name);
    if (o->images || o->side)
        return cli_usage(cli, "--images and --side are only for conversations, found --texts %s",
                         name);
    if (cli_number("pack", o->pack, 1, PACK_MAX, &wish->length, &err) < 0)
        return cli_fail(cli, &err);
    return EXIT_AGREED;
}

static int prepare_all(struct cli *cli, struct prepare *p)
{
    struct err err = ERR_INIT;
    int rc = 0;
    for (int i = 0; rc == 0 && i < cli->n_args; i++)
        rc = prepare_file(p, cli->args[i], &cli->diags, &err);
    if (rc == 0)
        rc = prepare_end(p, cli->opt.out, &err);
    if (rc < 0)
        return err.kind ? cli_fail(cli, &err) : cli_diags(cli);
    cli_note(cli, "%zu texts of %zu file%s: %zu tokens, %zu dropped", p->texts, p->n_files,
             p->n_files == 1 ? "" : "s", p->tokens.n, p->dropped);
    buf_printf(&cli->out, "%s  %s/" PREPARE_TOKENS "\n", p->sha256, cli->opt.out);
    return EXIT_AGREED;
}

static int run_prepare(struct cli *cli)
{
    const struct conversation_format *conversations =
        cli->opt.texts ? conversation_format_find(cli->opt.texts) : NULL;
    struct prepare_wish wish;
    struct prepare p;
    struct err err = ERR_INIT;
    int code = conversations ? check_model_and_folder(cli) : read_wish(cli, &wish);
    if (code || conversations)
        return code ? code : prepare_task_conversations(cli, conversations);
    code = prepare_begin(&p, &wish, &err) < 0 ? cli_fail(cli, &err) : prepare_all(cli, &p);
    prepare_release(&p);
    return code;
}

static const enum option_id options[] = {OPTION_TOKENIZER, OPTION_TEXTS, OPTION_PACK, OPTION_IMAGES,
                                         OPTION_SIDE,      OPTION_OUT,   OPTION_END};

const struct command command_prepare = {
    .name = "prepare",
    .summary = "make token files from text and JSON",
    .arguments = "FILE…",
    .examples = "  fpreport prepare --tokenizer tokenizer.model -o tokens book.txt\n"
                "  fpreport prepare --tokenizer tokenizer.model --texts samsum --pack 512 \\\n"
                "      -o tokens train.json\n"
                "  fpreport prepare --tokenizer tokenizer.model --texts llava-v1 --images coco \\\n"
                "      -o samples llava_v1_5_mix665k.json\n",
    .details =
        "\n"
        "prepare encodes texts with a SentencePiece BPE model, as SentencePiece does. A\n"
        "text is a whole file, a line, the \"text\" of a JSON object, or (samsum) its\n"
        "\"dialogue\" and \"summary\" in FlagPerf's prompt. A JSON file contains an array, or\n"
        "one object per line. prepare puts the token <s> before each text and </s> after\n"
        "it. prepare writes tokens.npy, for a case with npy data, and prepared.json with\n"
        "settings and digests.\n"
        "LLaVA's conversations have two formats: llava-plain (pretraining, images\n"
        "cropped) and llava-v1 (fine-tuning, images padded). For conversations, prepare\n"
        "writes tokens, labels, offsets, pictures, lengths and pixels as .npy files.\n"
        "prepare decodes JPEG and PNG images to the same pixels as Pillow.\n",
    .options = options,
    .out_meaning = "write into this new folder, which must not exist",
    .min_arguments = 1,
    .max_arguments = -1,
    .run = run_prepare,
};
