/* print: what goes to the terminal, and how it ends. */
#include "cli/cli.h"

#include "base/files/file.h"
#include "base/foreign.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RED "\033[1;31m"
#define YELLOW "\033[1;33m"
#define BLUE "\033[1;34m"
#define PLAIN "\033[0m"

int exit_worse(int a, int b)
{
    return a > b ? a : b;
}

void cli_print_safe(struct buf *to, const char *text)
{
    size_t len = strlen(text), step;
    for (size_t at = 0; at < len; at += step ? step : 1) {
        uint32_t code = 0;
        step = utf8_next(text + at, len - at, &code);
        if (!step || code < 0x20 || code == 0x7F)
            buf_printf(to, "\\x%02X", (unsigned char)text[at]);
        else if (foreign_is_hidden(code)) /* C1 controls, too: terminals obey them */
            buf_printf(to, code > 0xFFFF ? "\\U%08X" : "\\u%04X", code);
        else
            buf_add(to, text + at, step);
    }
}

/* Whom a line is for; what was said is noted with it, so that others hear what is for them. */
enum { FOR_ALL = 'a', FOR_MOST = 'm', FOR_VERBOSE = 'v' };

static bool hears(const struct cli *cli, char whom)
{
    return whom == FOR_ALL || (!cli->opt.quiet && (whom == FOR_MOST || cli->opt.verbose));
}

/* One line in colors, on stderr; trouble there cannot be reported anywhere, so it is not looked at.
 */
static void put_colored_line(const struct cli *cli, char whom, struct buf *line)
{
    if (cli->said) {
        buf_char(cli->said, whom);
        buf_add(cli->said, line->data, line->len);
    }
    if (!hears(cli, whom))
        return;
    if (!cli->color_err) {
        /* No text of others has an escape: cli_print_safe. */
        size_t n = 0;
        for (size_t i = 0; i < line->len; i++) {
            bool color = line->data[i] == '\033';
            while (color && i < line->len && line->data[i] != 'm')
                i++;
            if (!color)
                line->data[n++] = line->data[i];
        }
        line->len = n;
    }
    ssize_t ignored = write(STDERR_FILENO, line->data, line->len);
    (void)ignored;
}

void cli_say_again(const struct cli *cli, const char *said)
{
    struct buf line = BUF_INIT(BUF_DEFAULT_MAX);
    for (const char *end; *said && (end = strchr(said, '\n')); said = end + 1) {
        buf_clear(&line);
        buf_add(&line, said + 1, (size_t)(end - said));
        put_colored_line(cli, *said, &line);
    }
    buf_release(&line);
}

/* One line. */
static void say_line(const struct cli *cli, char whom, const char *color, const char *word,
                     const char *text)
{
    struct buf line = BUF_INIT(BUF_DEFAULT_MAX);
    if (word)
        buf_printf(&line, "%s%s:%s ", color, word, PLAIN);
    cli_print_safe(&line, text);
    buf_char(&line, '\n');
    put_colored_line(cli, whom, &line);
    buf_release(&line);
}

static void vsay(const struct cli *cli, char whom, const char *color, const char *word,
                 const char *fmt, va_list ap)
{
    char text[ERR_TEXT_MAX];
    if (!hears(cli, whom) && !cli->said)
        return;
    vsnprintf(text, sizeof text, fmt, ap);
    say_line(cli, whom, color, word, text);
}

void cli_note(const struct cli *cli, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsay(cli, FOR_MOST, "", NULL, fmt, ap);
    va_end(ap);
}

void cli_warn(const struct cli *cli, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsay(cli, FOR_MOST, YELLOW, "warning", fmt, ap);
    va_end(ap);
}

void cli_detail(const struct cli *cli, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsay(cli, FOR_VERBOSE, "", NULL, fmt, ap);
    va_end(ap);
}

int cli_fail(const struct cli *cli, const struct err *err)
{
    say_line(cli, FOR_ALL, RED, "error", err->text);
    return err->kind;
}

int cli_error(const struct cli *cli, enum err_kind kind, const char *fmt, ...)
{
    struct err err = ERR_INIT;
    va_list ap;
    va_start(ap, fmt);
    err_vset(&err, kind, fmt, ap);
    va_end(ap);
    return cli_fail(cli, &err);
}

int cli_usage(const struct cli *cli, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsay(cli, FOR_ALL, RED, "error", fmt, ap);
    va_end(ap);
    return EXIT_USAGE;
}

static void say_diag(const struct cli *cli, const struct diag *d)
{
    static const char *const colors[] = {BLUE, YELLOW, RED};
    char whom = d->severity == SEVERITY_ERROR     ? FOR_ALL
                : d->severity == SEVERITY_WARNING ? FOR_MOST
                                                  : FOR_VERBOSE;
    struct buf line = BUF_INIT(BUF_DEFAULT_MAX);
    if (!hears(cli, whom) && !cli->said)
        return;
    cli_print_safe(&line, d->file);
    if (d->line)
        buf_printf(&line, ":%d", d->line);
    if (d->line && d->col)
        buf_printf(&line, ":%d", d->col);
    buf_printf(&line, ": %s%s:%s ", colors[d->severity], severity_name(d->severity), PLAIN);
    cli_print_safe(&line, d->message);
    buf_char(&line, '\n');
    put_colored_line(cli, whom, &line);
    buf_release(&line);
}

int cli_diags(struct cli *cli)
{
    struct diags *d = &cli->diags;
    for (size_t i = 0; i < d->n; i++)
        say_diag(cli, &d->items[i]);
    if (d->dropped)
        cli_note(cli, "%zu further findings are not shown", d->dropped);
    int code = d->machine ? EXIT_IO : d->errors ? EXIT_INPUT : EXIT_AGREED;
    diags_init(d, &cli->arena);
    return code;
}

int cli_flush(struct cli *cli)
{
    struct err err = ERR_INIT;
    int rc = buf_check(&cli->out, "the output", &err);
    if (rc == 0)
        rc = file_write_all(STDOUT_FILENO, cli->out.data, cli->out.len, "standard output", &err);
    buf_clear(&cli->out);
    if (rc == 0)
        return 0;
    err.kind = ERR_IO;
    return cli_fail(cli, &err);
}

int cli_deliver(struct cli *cli)
{
    struct err err = ERR_INIT;
    if (!cli->opt.out || strcmp(cli->opt.out, "-") == 0)
        return EXIT_AGREED;
    if (buf_check(&cli->out, cli->opt.out, &err) < 0 ||
        file_write(cli->opt.out, cli->out.data, cli->out.len, &err) < 0)
        return cli_fail(cli, &err);
    buf_clear(&cli->out);
    return EXIT_AGREED;
}

bool cli_wants_json(const struct cli *cli)
{
    return cli->opt.format && strcmp(cli->opt.format, "json") == 0;
}
