/* Why a row of a list failed (sheet.h). */
#include "renderer/site/sheet/sheet.h"

#include "base/foreign.h"

#include <string.h>

#define WHY_MAX 96 /* bytes of a finding in a list; a result's own page has all of it */

/* How much of a message a list has room for: whole words, and no part of what stands in
 * parentheses, a list of rows for one. */
static size_t room_of(const char *text)
{
    size_t end = WHY_MAX, open = 0;
    if (strlen(text) <= end)
        return end;
    while (end > WHY_MAX / 2 && text[end] != ' ')
        end--;
    end = end > WHY_MAX / 2 ? end : WHY_MAX;
    for (size_t i = 0; i < end; i++)
        open = text[i] == '(' ? i : text[i] == ')' ? 0 : open;
    return open ? open : end;
}

/* What the verifier says, in the language of the page, cut where a list has no room for more. */
static void set_message(struct sheet *s, struct view *v, const struct check_result *c)
{
    struct message_part *parts;
    struct view *list = view_set_list(v, "message");
    size_t n = messages_parts(s->messages, s->lang, c->message, c->sentence, s->arena, &parts);
    const char *whole = "";
    for (size_t i = 0; i < n; i++)
        whole = arena_printf(s->arena, "%s%s", whole, parts[i].text);
    size_t left = room_of(whole);
    for (size_t i = 0; i < n && left > 0; i++) {
        size_t len = strlen(parts[i].text);
        sheet_push_said(s, list, foreign_line(s->arena, parts[i].text, left), parts[i].foreign);
        left = len < left ? left - len : 0;
    }
}

void sheet_set_why(struct sheet *s, struct view *v, const struct site_row *row)
{
    /* The first of the nearest errors: of the row, of the whole result, of another row. */
    const struct site_places *all = row->entry->places;
    const struct check_result *own = row->place ? row->place->error : NULL;
    const struct check_result *c = row->entry->verdict->state != STATE_FAILED ? NULL
                                   : own                                      ? own
                                   : all->whole                               ? all->whole
                                                                              : all->other;
    if (!c) {
        view_set_flag(v, "why", false);
        return;
    }
    struct view *why = view_set_object(v, "why");
    view_set_text(why, "rule", c->rule);
    bool elsewhere = c->row && (c->table != row->table || c->row != row->row);
    view_set_text(why, "elsewhere",
                  elsewhere
                      ? sheet_fill(s, "why.elsewhere", {"place", sheet_place(s, c->table, c->row)})
                      : "");
    set_message(s, why, c);
}
