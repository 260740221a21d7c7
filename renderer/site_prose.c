/* Prose of records in a page of the site: safe, and without links that lead nowhere. */
#include "renderer/site_sheet.h"

#include "base/markdown.h"
#include "base/text.h"

#include <string.h>

/* A relative link was one from where the page was published; here it leads nowhere. */
static bool leads_somewhere(const char *url)
{
    return text_starts(url, "https://") || text_starts(url, "http://") ||
           text_starts(url, "mailto:");
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

static void set_html(struct view *v, const char *key, const char *markdown,
                     bool (*convert)(struct buf *, const char *))
{
    struct buf html, alive;
    buf_init(&html, BUF_DEFAULT_MAX);
    buf_init(&alive, BUF_DEFAULT_MAX);
    if (markdown)
        convert(&html, markdown);
    put_without_dead_links(&alive, html.data);
    view_set_raw(v, key, alive.data);
    buf_release(&alive);
    buf_release(&html);
}

void sheet_set_inline(struct view *v, const char *key, const char *markdown)
{
    set_html(v, key, markdown, markdown_inline_html);
}

void sheet_set_note(struct view *v, const char *key, const char *markdown)
{
    set_html(v, key, markdown, markdown_html);
}
