#include "cli/archive/archive.h"

#include "base/columns.h"
#include "base/files/file.h"
#include "base/foreign.h"
#include "base/store/checkpoint.h"
#include "base/text.h"
#include "collector/store/write.h"

#include <string.h>

/* ---- list and show ----------------------------------------------------------------------- */

static int open_to_read(struct cli *cli, struct store *s)
{
    struct err err = ERR_INIT;
    const char *root;
    if (cli_archive_root(cli, &root, &err) < 0 ||
        store_open(s, root, &cli->arena, &cli->diags, &err) < 0)
        return cli_fail(cli, &err);
    if (s->log.torn)
        cli_warn(cli, "%s/" STORE_LOG_NAME ": the last line was never finished; `%s` cuts it off",
                 s->root, store_repair_command(s->root, &cli->arena));
    return EXIT_AGREED;
}

const char *cli_archive_published(const struct store_item *item)
{
    return item->redaction ? item->redaction->publish : STORE_FULL;
}

static void put_json_item(struct json_writer *w, const struct store_item *item)
{
    const struct store_entry *e = item->added;
    json_begin_object_flat(w, NULL);
    json_string(w, "submission", item->submission);
    if (e) {
        json_strings(w, {"object", e->object}, {"added", store_entry_day(e)},
                     {"signer", e->signer});
    }
    json_strings(w, {"publish", cli_archive_published(item)},
                 {"withdrawn", item->withdrawn ? store_entry_day(item->withdrawn) : NULL});
    json_end_object(w);
}

/* 79 columns, where names of signers have at most 18; longer ones are cut, `show` has all of them.
 */
static void put_text_item(struct cli *cli, const struct store_item *item)
{
    const struct store_entry *e = item->added;
    struct buf name = BUF_INIT(BUF_DEFAULT_MAX);
    cli_print_safe(&name, e && e->signer ? e->signer : e && e->key ? "unknown key" : "unsigned");
    buf_printf(&cli->out, "%.16s  %s  ", item->submission, e ? store_entry_day(e) : "-");
    columns_fit(&cli->out, name.data, 18);
    if (item->withdrawn)
        columns_fit(&cli->out, cli_archive_published(item), 8);
    buf_printf(&cli->out, "%s\n", item->withdrawn ? "withdrawn" : cli_archive_published(item));
    buf_release(&name);
}

static int list_archive(struct cli *cli)
{
    struct store s;
    struct json_writer w;
    int code = open_to_read(cli, &s);
    if (code)
        return code;
    json_writer_init(&w, &cli->out);
    if (cli_wants_json(cli))
        json_begin_array(&w, NULL);
    else if (s.log.n && !cli->opt.quiet)
        buf_str(&cli->out,
                "submission        came                  signer             published\n");
    for (size_t i = 0; i < s.log.n; i++) { /* in the order in which they came */
        const struct store_entry *e = &s.log.entries[i];
        const struct store_item *item =
            strcmp(e->kind, STORE_ADDED) == 0 ? store_submission_of(&s.index, e->object) : NULL;
        if (!item || item->added != e)
            continue;
        if (cli_wants_json(cli))
            put_json_item(&w, item);
        else
            put_text_item(cli, item);
    }
    if (cli_wants_json(cli)) {
        json_end_array(&w);
        json_finish(&w);
    }
    store_close(&s);
    return exit_worse(cli_diags(cli), cli_deliver(cli));
}

static void put_archive_line(struct cli *cli, const char *label, const char *text)
{
    if (!text)
        return;
    buf_printf(&cli->out, "  %-11s", label);
    cli_print_safe(&cli->out, text);
    buf_char(&cli->out, '\n');
}

static void put_archive_entry(struct cli *cli, const struct store *s, const struct store_entry *e)
{
    buf_printf(&cli->out, "%lld  %s  %s\n", e->n, e->time, e->kind);
    put_archive_line(cli, "clock", e->clock);
    if (e->object)
        put_archive_line(cli, "object", store_object_path(s->root, e->object, &cli->arena));
    put_archive_line(cli, "of", e->of);
    put_archive_line(cli, "signer",
                     e->signer || strcmp(e->kind, STORE_ADDED) != 0 ? e->signer
                     : e->key                                       ? "not known"
                                                                    : "not signed");
    put_archive_line(cli, "key", e->key);
    put_archive_line(cli, "rules", e->rules);
    put_archive_line(cli, "verdict", e->verdict);
    put_archive_line(cli, "publish", e->publish);
    for (size_t i = 0; i < e->n_withheld; i++)
        put_archive_line(cli, i ? "" : "withheld", e->withheld[i]);
    put_archive_line(cli, "by", e->by);
    put_archive_line(cli, "reason", e->reason.en ? e->reason.en : e->reason.zh);
    put_archive_line(cli, "", e->reason.en ? e->reason.zh : NULL);
}

static void show_lines(struct cli *cli, const struct store *s, const struct store_item *item)
{
    struct buf line = BUF_INIT(STORE_LINE_MAX);
    if (!cli_wants_json(cli))
        buf_printf(&cli->out, "%s\n", item->submission);
    for (size_t i = 0; i < s->log.n; i++) {
        const struct store_entry *e = &s->log.entries[i];
        if (strcmp(e->submission, item->submission) != 0)
            continue;
        buf_clear(&line);
        store_entry_line(e, &line);
        if (cli_wants_json(cli))
            buf_add(&cli->out, line.data, line.len);
        else
            put_archive_entry(cli, s, e);
    }
    buf_release(&line);
}

static int show_submission(struct cli *cli)
{
    struct store s;
    struct err err = ERR_INIT;
    int code = open_to_read(cli, &s);
    if (code)
        return code;
    const struct store_item *item = store_find(&s, cli->args[1], &err);
    if (item)
        show_lines(cli, &s, item);
    else
        code = cli_fail(cli, &err);
    store_close(&s);
    return exit_worse(code, exit_worse(cli_diags(cli), cli_deliver(cli)));
}

/* ---- decisions --------------------------------------------------------------------------- */

int cli_archive_reason(struct cli *cli, struct words *out)
{
    const struct options *o = &cli->opt;
    const struct {
        const char *option, *text;
        size_t most;
    } given[] = {{"--reason", o->reason, STORE_REASON_MAX},
                 {"--reason-zh", o->reason_zh, STORE_REASON_MAX},
                 {"--by", o->by, SIZE_MAX}};
    if (!o->reason && !o->reason_zh)
        return cli_usage(cli, "archive %s needs --reason TEXT or --reason-zh TEXT", cli->args[0]);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (given[i].text && foreign_is_blank(given[i].text))
            return cli_usage(cli, "%s: found only spaces, expected a text", given[i].option);
        if (given[i].text && strlen(given[i].text) > given[i].most)
            return cli_usage(cli, "%s: expected %d bytes at most", given[i].option,
                             STORE_REASON_MAX);
    }
    *out = o->reason && o->reason_zh ? (struct words){o->reason_zh, o->reason}
                                     : (struct words){o->reason ? o->reason : o->reason_zh, NULL};
    return EXIT_AGREED;
}

/* An entry about what is there. */
int cli_archive_decide(struct cli *cli, struct store *s, const struct store_item *item,
                       struct store_entry *e)
{
    struct err err = ERR_INIT;
    e->submission = item->submission;
    e->of = item->object;
    e->by = cli->opt.by ? cli->opt.by : "operator";
    if (store_append(s, e, &err) < 0)
        return cli_fail(cli, &err);
    buf_printf(&cli->out, "%s %s%s%s\n", e->publish ? e->publish : e->kind, e->submission,
               e->of ? " " : "", e->of ? e->of : "");
    return EXIT_AGREED;
}

/* It stays withdrawn for the reason that everybody could read. Another one is not dropped without a
 * word. */
static void tell_withdrawn(struct cli *cli, const struct store_item *item, const struct words *now)
{
    const struct store_entry *e = item->withdrawn;
    const char *was = e->reason.en ? e->reason.en : e->reason.zh;
    bool same = strcmp(now->en ? now->en : now->zh, was) == 0;
    cli_warn(cli,
             "%s was withdrawn already, on %.10s by %s (line %d of the log): \"%s\"; nothing was "
             "changed%s",
             item->submission, store_entry_day(e), e->by, e->line, was,
             same ? "" : ", and the reason that was given now is not recorded");
}

static int withdraw_submission(struct cli *cli, struct store *s, const char *id,
                               const struct words *reason)
{
    struct err err = ERR_INIT;
    struct store_entry e = {.kind = STORE_WITHDRAWN, .reason = *reason};
    const struct store_item *item = store_find(s, id, &err);
    if (!item)
        return cli_fail(cli, &err);
    if (!item->withdrawn)
        return cli_archive_decide(cli, s, item, &e);
    tell_withdrawn(cli, item, reason);
    return EXIT_AGREED;
}

static int withdraw_by_name(struct cli *cli)
{
    struct store s;
    struct err err = ERR_INIT;
    struct words reason;
    struct archive_named named;
    int code = cli_archive_reason(cli, &reason);
    if (code)
        return code;
    if (cli_archive_lock_there(cli, &s, &err) < 0)
        return exit_worse(cli_diags(cli), cli_fail(cli, &err));
    code = cli_archive_named(cli, &s, cli->args[1], &named);
    for (size_t i = 0; i < named.n && !code; i++)
        code = withdraw_submission(cli, &s, named.ids[i], &reason);
    store_close(&s);
    return exit_worse(code, cli_diags(cli));
}

static void put_repair(struct cli *cli, const char *root, const char *what, const char *done)
{
    cli_print_safe(&cli->out, root);
    buf_printf(&cli->out, ": %s%s\n", what, done);
}

static int repair(struct cli *cli)
{
    struct err err = ERR_INIT;
    struct store_repaired did;
    const char *root;
    if (cli_archive_root(cli, &root, &err) < 0)
        return cli_fail(cli, &err);
    if (!file_is_dir(root))
        return cli_usage(cli, "%s: found no archive", root);
    if (store_repair(root, &did, &cli->arena, &cli->diags, &err) < 0)
        return exit_worse(cli_diags(cli), cli_fail(cli, &err));
    if (did.head) {
        /* Without its head nothing tells an end of the log that was cut off. */
        const char *lines = text_count(&cli->arena, did.head, "line", "lines");
        put_repair(cli, root, STORE_HEAD_NAME ": written anew, of ",
                   did.vouched < 0
                       ? arena_printf(
                             &cli->arena,
                             "%s; no checkpoint shows whether lines after them are missing", lines)
                       : arena_printf(&cli->arena, "%s, of which the checkpoint covers %lld", lines,
                                      did.vouched));
    }
    if (did.cut)
        put_repair(cli, root, text_count(&cli->arena, did.cut, "byte", "bytes"),
                   " of a line that was never finished: cut off");
    if (did.checkpoint)
        put_repair(cli, root, CHECKPOINT_NAME, ": put in place with its signature");
    if (did.cleared)
        put_repair(cli, root, text_count(&cli->arena, did.cleared, "thing", "things"),
                   " that a stopped writer left: put right");
    if (!did.head && !did.cut && !did.checkpoint && !did.cleared)
        put_repair(cli, root, "nothing to repair", "");
    return EXIT_AGREED;
}

/* ---- the table --------------------------------------------------------------------------- */

#define OF_ARCHIVE OPTION_ARCHIVE, OPTION_RECORDS
#define OF_DECISION OF_ARCHIVE, OPTION_REASON, OPTION_REASON_ZH, OPTION_BY, OPTION_TRUST_CLOCK
#define OF_ADDING OPTION_SIGNERS, OPTION_REVOKED, OPTION_AT, OPTION_VENDOR
#define OF_LISTS OPTION_FORMAT, OPTION_OUT

#define WHAT_IS_NAMED                                                                    \
    "\nID is the SHA-256 of a submission's file or of its SHA256SUMS, or at least the\n" \
    "first 8 digits of this SHA-256. VENDOR/CASE means all submissions of this result\n" \
    "in the records. A reason in English or Chinese is enough.\n"

static const struct action actions[] = {
    {.name = "add",
     .arguments = "SUBMISSION.tar.zst…",
     .summary = "check the seal and signature of submissions, then store them",
     .options = (const enum option_id[]){OF_ARCHIVE, OF_ADDING, OPTION_REQUIRE_LANDLOCK,
                                         OPTION_TRUST_CLOCK, OPTION_END},
     .least = 1,
     .most = -1,
     .run = cli_archive_add},
    {.name = "list",
     .arguments = "",
     .summary = "list the submissions in the archive, in order of arrival",
     .options = (const enum option_id[]){OF_ARCHIVE, OF_LISTS, OPTION_END},
     .run = list_archive},
    {.name = "show",
     .arguments = "ID",
     .summary = "show all log entries of one submission",
     .options = (const enum option_id[]){OF_ARCHIVE, OF_LISTS, OPTION_END},
     .least = 1,
     .most = 1,
     .run = show_submission},
    {.name = "withdraw",
     .arguments = "ID|VENDOR/CASE --reason TEXT",
     .summary = "withdraw a submission and its results, with a reason",
     .details = WHAT_IS_NAMED,
     .options = (const enum option_id[]){OF_DECISION, OPTION_END},
     .least = 1,
     .most = 1,
     .run = withdraw_by_name},
    {.name = "redact",
     .arguments = "ID|VENDOR/CASE FILE… | --publish full|hashes",
     .summary = "withhold some or all files of a submission, or publish them again",
     .details =
         "\nFILE may contain * for any text. A redaction replaces earlier redactions of the\n"
         "submission.\n" WHAT_IS_NAMED,
     .options = (const enum option_id[]){OF_DECISION, OPTION_PUBLISH, OPTION_PUBLISH_AGAIN,
                                         OPTION_BRANCH, OPTION_REQUIRE_LANDLOCK, OPTION_END},
     .least = 1,
     .most = -1,
     .run = cli_archive_redact},
    {.name = "repair",
     .arguments = "",
     .summary = "repair the archive after a kill or a power failure",
     .options = (const enum option_id[]){OF_ARCHIVE, OPTION_TRUST_CLOCK, OPTION_END},
     .run = repair},
    {.name = NULL},
};

static const enum option_id options[] = {
    OF_DECISION,   OF_ADDING, OPTION_PUBLISH, OPTION_PUBLISH_AGAIN, OPTION_REQUIRE_LANDLOCK,
    OPTION_BRANCH, OF_LISTS,  OPTION_END};

const struct command command_archive = {
    .name = "archive",
    .summary = "keep submissions permanently, with a log of every action",
    .arguments = "ACTION [ARGUMENT…]",
    .examples = "  fpreport archive add --signers allowed_signers evidence/*.tar.zst\n"
                "  fpreport archive withdraw 5f2c90aa --reason \"wrong driver\" --by Acme\n"
                "  fpreport archive redact acme/llama2_7b notes.txt --reason \"names of hosts\"\n",
    .details = "\n"
               "A withdrawn submission stays in the archive with the reason, and the results\n"
               "that name it become withdrawn. If ID is the SHA-256 of a .tar.zst file, only\n"
               "results that name this file become withdrawn. A redaction replaces earlier\n"
               "redactions of the submission; --publish-again allows a redaction that withholds\n"
               "fewer files. Published files stay in the earlier commits of the branch; redact\n"
               "lists these commits. `fpreport fsck` checks the whole archive; see\n"
               "docs/SECURITY.md.\n",
    .options = options,
    .out_meaning = "write the list to this file",
    .actions = actions,
    .needs_project = true,
    .archive_suffices = true,
};
