/*
 * What a reader types to have a result again (result.h): the archive is fetched and its hash
 * asked, the verdict derived, the case run. Every line can be pasted into a shell.
 */
#include "renderer/site/result/result.h"

#include "base/project/bundle.h"
#include "base/records/facts.h"

#include <string.h>

/* Of a command of the evidence; a longer one is not shown. */
#define COMMAND_MAX 2000

static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                            "_@%+=:,./-";

/* One word of a POSIX shell: in single quotes where it has to be. */
const char *sheet_shell_word(struct arena *arena, const char *text)
{
    if (*text && !text[strspn(text, plain)])
        return text;
    char *out = arena_alloc(arena, strlen(text) * 4 + 3), *to = out;
    *to++ = '\'';
    for (; *text; text++) {
        if (*text == '\'') {
            memcpy(to, "'\\'", 3);
            to += 3;
        }
        *to++ = *text;
    }
    *to++ = '\'';
    *to = '\0';
    return out;
}

const char *sheet_one_line(struct sheet *s, const char *text)
{
    char *out = arena_strdup(s->arena, text ? text : "");
    for (char *at = out; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = ' ';
    return out;
}

/* "torchrun train.py"; "" when the evidence names no command, or one that is too long. */
static const char *command_of(struct arena *arena, const struct row_evidence *e)
{
    const char *line = "";
    for (size_t i = 0; i < e->n_command && strlen(line) <= COMMAND_MAX; i++)
        line = arena_printf(arena, "%s%s%s", line, i ? " " : "",
                            sheet_shell_word(arena, e->command[i]));
    return strlen(line) <= COMMAND_MAX ? line : "";
}

/* Why the commit is not known, by which program, and where versions stand. */
static const char *no_commit(struct sheet *s, const struct row_evidence *e,
                             const struct fact *commit)
{
    const struct fact *program = facts_get(e->facts, fact_kinds[FACT_FPREPORT].key);
    const char *why = messages_text(s->messages, s->lang, commit->unknown,
                                    fact_reason(commit->unknown, s->arena), s->arena);
    return sheet_one_line(s,
                          sheet_fill(s, "reproduce.nocommit",
                                     {"version", program && program->value ? program->value : ""},
                                     {"why", why}, {"where", sheet_t(s, "evidence.environment")}));
}

void sheet_set_fetching(struct sheet *s, struct view *v, const struct row_evidence *e)
{
    const struct site_settings *settings = s->site->settings;
    const char *slash = strrchr(e->archive, '/'), *name = slash ? slash + 1 : e->archive;
    const char *url = settings && settings->url ? settings->url : "";
    const struct fact *commit =
        e->facts ? facts_get(e->facts, fact_kinds[FACT_FRAMEWORK_COMMIT].key) : NULL;
    view_set_text(v, "name", name);
    view_set_text(v, "name_word", sheet_shell_word(s->arena, name));
    view_set_text(v, "address",
                  *url ? sheet_shell_word(s->arena, arena_printf(s->arena, "%s%s", url,
                                                                 sheet_link(s, e->archive)))
                       : "");
    view_set_text(v, "sum_word",
                  sheet_shell_word(s->arena, arena_printf(s->arena, "%s  %s",
                                                          e->sha256 ? e->sha256 : "", name)));
    view_set_text(v, "commit", commit ? sheet_one_line(s, commit->value) : "");
    view_set_text(v, "no_commit", commit && !commit->value ? no_commit(s, e, commit) : "");
}

void sheet_set_reproduce(struct sheet *s, const struct site_entry *e)
{
    const struct case_record *c = e->case_record;
    const struct metric *first = NULL; /* stated figure that a run could give again */
    const struct row_evidence *evidence = e->verdict->n_evidence ? e->verdict->evidence : NULL;
    bool by_command = c && c->trainer && strcmp(c->trainer, "command") == 0;
    const char *command = by_command && evidence ? command_of(s->arena, evidence) : "";
    const char *bundle = bundle_name(e->result, s->arena);
    for (size_t i = 0; i < e->verdict->n_metrics && !first; i++)
        if (e->verdict->metrics[i].claimed && e->verdict->metrics[i].row > 0)
            first = &e->verdict->metrics[i];
    bool can_run = first && c;
    view_set_text(s->view, "bundle", bundle ? bundle : "");
    view_set_flag(s->view, "can_run", can_run);
    view_set_flag(s->view, "by_command", by_command);
    sheet_set_whole(s->view, "command", command);
    view_set_text(s->view, "run_row",
                  can_run && !evidence ? arena_printf(s->arena, "%d.%d", first->table, first->row)
                                       : "");
}
