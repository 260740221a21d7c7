/* Prose of records in a page of the site: safe, and without links that lead nowhere. */
#include "renderer/site/sheet/sheet.h"

#include "base/markdown/markdown.h"
#include "base/text.h"
#include "renderer/templates/escape.h"
#include "renderer/words/english.h"

#include <string.h>

/* A relative link was one from where the page was published; here it leads nowhere. */
static bool leads_somewhere(const char *url)
{
    return text_starts(url, "https://") || text_starts(url, "http://") ||
           text_starts(url, "mailto:");
}

/* Blocks that may be wider than their page are scrolled with keys, too. */
static void put_reachable(struct sheet *s, struct buf *out, const char *html)
{
    const struct {
        const char *tag, *shown;
    } blocks[] = {
        {"<pre>", "<pre tabindex=\"0\">"},
        {"<table>",
         arena_printf(s->arena,
                      "<div class=\"scroll\" role=\"group\" aria-label=\"%s\" tabindex=\"0\">"
                      "<table class=\"published\">",
                      sheet_t(s, "published.table"))},
        {"</table>", "</table></div>"},
    };
    while (*html) {
        size_t i = 0, n = sizeof blocks / sizeof *blocks;
        while (i < n && !text_starts(html, blocks[i].tag))
            i++;
        size_t len = i < n ? strlen(blocks[i].tag) : 1 + strcspn(html + 1, "<");
        if (i < n)
            buf_str(out, blocks[i].shown);
        else
            buf_add(out, html, len);
        html += len;
    }
}

/* The HTML that base/markdown made, with the text of relative links in place of the links. */
static void put_without_dead_links(struct buf *out, const char *html)
{
    static const char opening[] = "<a href=\"", closing[] = "</a>";
    const char *from = html, *link;
    while ((link = strstr(from, opening))) {
        const char *end = strstr(link, closing), *text = strchr(link, '>');
        if (!end || !text || leads_somewhere(link + strlen(opening))) {
            buf_add(out, from, (size_t)(link - from) + 1);
            from = link + 1;
            continue;
        }
        buf_add(out, from, (size_t)(link - from));
        buf_add(out, text + 1, (size_t)(end - text) - 1);
        from = end + strlen(closing);
    }
    buf_str(out, from);
}

static void set_html(struct sheet *s, struct view *v, const char *key, const char *markdown,
                     bool (*convert)(struct buf *, const char *), int max)
{
    struct buf html = BUF_INIT(BUF_DEFAULT_MAX), alive = BUF_INIT(BUF_DEFAULT_MAX);
    const char *text = markdown ? markdown : "", *more = text + text_cut(text, max);
    if (markdown)
        convert(&html, *more ? arena_strndup(s->arena, text, (size_t)(more - text)) : text);
    put_without_dead_links(&alive, html.data);
    if (*more)
        escape_html(&alive, sheet_fill(s, "text.cut", {"n", sheet_number(s, text_length(more))}));
    view_set_raw(v, key, alive.data);
    buf_release(&alive);
    buf_release(&html);
}

/* Text between tags in which what is of the other language than what is around it says so. */
static void put_languages(enum page_lang around, struct buf *out, const char *html)
{
    const char *marked = around == PAGE_EN ? "<span lang=\"zh\">" : "<span lang=\"en\">";
    while (*html) {
        bool foreign = false;
        /* A tag, or all of a piece of code; 0: neither is there. */
        static const char *const closing[][2] = {{"<pre", "</pre>"}, {"<code", "</code>"}};
        const char *end = *html == '<' ? strchr(html, '>') : NULL;
        for (size_t i = 0; end && i < sizeof closing / sizeof *closing; i++) {
            const char *close =
                text_starts(html, closing[i][0]) ? strstr(end, closing[i][1]) : NULL;
            end = close ? close + strlen(closing[i][1]) - 1 : end;
        }
        size_t n = end ? (size_t)(end - html) + 1 : 0;
        n = n ? n : sheet_piece(around, html, 1 + strcspn(html + 1, "<"), &foreign);
        if (foreign)
            buf_str(out, marked);
        buf_add(out, html, n);
        if (foreign)
            buf_str(out, "</span>");
        html += n;
    }
}

void sheet_set_inline(struct sheet *s, struct view *v, const char *key, const char *markdown)
{
    struct buf html = BUF_INIT(BUF_DEFAULT_MAX);
    set_html(s, v, key, markdown, markdown_inline_html, SHEET_TEXT_MAX);
    const char *made = view_get(v, key)->text;
    if (s->lang == PAGE_EN ? !text_has_han(made) : !text_is_prose(made, strlen(made)))
        return;
    put_languages(s->lang, &html, made);
    view_set_raw(v, key, html.data);
    buf_release(&html);
}

void sheet_set_label(struct sheet *s, struct view *v, const char *key, const char *published,
                     const char *english)
{
    if (!published[strspn(published, " \t")]) {
        view_set_flag(v, key, false);
        return;
    }
    bool other = s->lang == PAGE_EN && strcmp(published, english) != 0;
    struct view *label = view_set_object(v, key);
    sheet_set_inline(s, label, "html", other ? english : published);
    view_set_text(label, "original", other ? markdown_plain(s->arena, published) : "");
}

/* "天垓150单机8卡（1x8）" -> "BI-V150单机8卡（1x8）": the longest Chinese name of a card that it
 * begins with, as English pages call the card. */
static const char *with_card(const struct sheet *s, const char *published)
{
    const struct project *p = s->site->project;
    const struct accelerator *found = NULL;
    size_t len = 0;
    for (size_t i = 0; i < p->n_accelerators; i++) {
        const struct accelerator *a = &p->accelerators[i];
        for (size_t k = 0; k <= a->n_aliases; k++) {
            const char *name = k ? a->aliases[k - 1] : a->name;
            if (!text_starts(published, name) || strlen(name) <= len || !text_has_han(name))
                continue;
            found = a;
            len = strlen(name);
        }
    }
    return found ? arena_printf(s->arena, "%s%s", sheet_card(s, found), published + len)
                 : published;
}

const char *sheet_configuration(const struct sheet *s, const char *published)
{
    bool chinese = s->lang == PAGE_EN && text_has_han(published);
    return sheet_short(s, chinese ? english_configuration(s->arena, with_card(s, published))
                                  : configuration_shown(s->arena, published));
}

void sheet_set_configuration(const struct sheet *s, struct view *v, const char *published)
{
    const char *text = sheet_configuration(s, published);
    view_set_text(v, "configuration", text);
    view_set_text(v, "configuration_lang", sheet_language(s, text));
}

const char *sheet_link(const struct sheet *s, const char *path)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        bool plain = c >= 0x80 || (c > ' ' && c != 0x7F && !strchr("#?%\"'<>\\^`{|}", c));
        buf_printf(&out, plain ? "%c" : "%%%02X", c);
    }
    return buf_text(&out, s->arena);
}

void sheet_set_whole(struct view *v, const char *key, const char *text)
{
    struct buf escaped = BUF_INIT(BUF_DEFAULT_MAX);
    escape_html(&escaped, text);
    view_set_raw(v, key, escaped.data);
    buf_release(&escaped);
}

const char *sheet_foreign(const struct sheet *s, const char *text)
{
    return s->lang == PAGE_EN && text_has_han(text) ? "zh" : "";
}

const char *sheet_language(const struct sheet *s, const char *text)
{
    return s->lang == PAGE_EN && !text_has_han(text) ? "en" : "zh";
}

void sheet_set_note(struct sheet *s, struct view *v, const char *key, const char *markdown)
{
    struct buf html = BUF_INIT(BUF_DEFAULT_MAX), marked = BUF_INIT(BUF_DEFAULT_MAX);
    /* Without Chinese it is English on an English page; on a Chinese one, where it is prose. */
    const char *text = markdown ? markdown : "";
    bool english = s->lang == PAGE_EN || text_is_prose(text, strlen(text));
    enum page_lang lang = english && !text_has_han(text) ? PAGE_EN : PAGE_ZH;
    set_html(s, v, key, markdown, markdown_html, SHEET_NOTE_MAX);
    put_languages(lang, &marked, view_get(v, key)->text);
    put_reachable(s, &html, marked.data);
    view_set_raw(v, key, html.data);
    view_set_text(v, arena_printf(s->arena, "%s_lang", key), page_lang_name(lang));
    buf_release(&marked);
    buf_release(&html);
}
