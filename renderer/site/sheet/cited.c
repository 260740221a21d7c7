#include "renderer/site/sheet/cited.h"

#include "base/json/json.h"
#include "base/text.h"

#include <string.h>

static const struct site_settings no_settings;

static const struct site_settings *site_says(const struct sheet *s)
{
    return s->site->settings ? s->site->settings : &no_settings;
}

static const char *titled(const struct sheet *s)
{
    return view_get(s->view, "site_title")->text;
}

static const char *cited_author(const struct sheet *s)
{
    const char *operator= sheet_words(s, site_says(s)->operator);
    return *operator? sheet_short(s, operator) : titled(s);
}

/* The day of the publication, or of what happened last; "". */
static const char *day_of_site(const struct sheet *s)
{
    const char *date = site_says(s)->date ? site_says(s)->date : s->index->newest;
    return date ? arena_printf(s->arena, "%.10s", date) : "";
}

/* "": the site does not know its address. */
static const char *whole_address(const struct sheet *s, const char *path)
{
    const char *url = site_says(s)->url;
    return url ? arena_printf(s->arena, "%s%s", url, path) : "";
}

/* ---- BibTeX --------------------------------------------------------------------------------- */

static const char *for_tex(const struct sheet *s, const char *text)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    for (; *text; text++) {
        if (strchr("{}\\", *text))
            continue;
        if (strchr("&%#_$", *text))
            buf_char(&out, '\\');
        buf_char(&out, *text);
    }
    return buf_text(&out, s->arena);
}

static void put_tex_field(struct buf *out, const char *name, const char *value)
{
    if (*value)
        buf_printf(out, ",\n  %s = {%s}", name, value);
}

void sheet_set_bibtex(struct sheet *s, const char *key, const char *title, const char *path,
                      const char *note, const char *day)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    /* Letters, digits and what keys have between them. */
    char *made = arena_strdup(s->arena, key);
    for (char *at = made; *at; at++)
        if (!text_is_digit(*at) && !strchr("-.:_", *at) &&
            !((*at | 32) >= 'a' && (*at | 32) <= 'z'))
            *at = '-';
    buf_printf(&out, "@misc{%s", made);
    put_tex_field(&out, "title", arena_printf(s->arena, "{%s}", for_tex(s, title)));
    put_tex_field(&out, "author", arena_printf(s->arena, "{%s}", for_tex(s, cited_author(s))));
    put_tex_field(&out, "year", arena_printf(s->arena, "%.4s", day ? day : day_of_site(s)));
    put_tex_field(&out, "url", whole_address(s, path));
    put_tex_field(&out, "note", for_tex(s, note));
    buf_str(&out, "\n}");
    view_set_text(s->view, "bibtex", out.data);
    buf_release(&out);
}

/* ---- JSON-LD -------------------------------------------------------------------------------- */

static void put_download(const struct sheet *s, struct json_writer *w, const char *type,
                         const char *path)
{
    json_begin_object_flat(w, NULL);
    json_string(w, "@type", "DataDownload");
    json_string(w, "encodingFormat", type);
    const char *address = whole_address(s, path);
    json_string(w, "contentUrl",
                *address ? address
                         : arena_printf(s->arena, "%s%s", view_get(s->view, "root")->text, path));
    json_end_object(w);
}

static void put_ld_string(struct json_writer *w, const char *key, const char *value)
{
    if (*value)
        json_string(w, key, value);
}

/* No text may end the element that it stands in. */
static const char *for_script(const struct sheet *s, const char *json)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    for (; *json; json++)
        if (strchr("<>&", *json))
            buf_printf(&out, "\\u%04x", (unsigned)*json);
        else
            buf_char(&out, *json);
    return buf_text(&out, s->arena);
}

void sheet_set_dataset(struct sheet *s)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    struct json_writer w = JSON_WRITER_INIT(&out);
    json_begin_object(&w, NULL);
    json_string(&w, "@context", "https://schema.org");
    json_string(&w, "@type", "Dataset");
    json_string(&w, "name", titled(s));
    json_string(&w, "description", view_get(s->view, "description")->text);
    json_string(&w, "inLanguage", page_lang_name(s->lang));
    put_ld_string(&w, "url", whole_address(s, ""));
    put_ld_string(&w, "dateModified", day_of_site(s));
    put_ld_string(&w, "license", site_says(s)->licence_url ? site_says(s)->licence_url : "");
    json_begin_object_flat(&w, "creator");
    json_string(&w, "@type", "Organization");
    json_string(&w, "name", cited_author(s));
    json_end_object(&w);
    json_begin_array(&w, "distribution");
    put_download(s, &w, "text/csv", "data/results.csv");
    put_download(s, &w, "application/json", "data/results.json");
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
    view_set_raw(s->view, "json_ld", for_script(s, out.data));
    buf_release(&out);
}

/* ---- CITATION.cff --------------------------------------------------------------------------- */

/* A JSON string is one of YAML. */
static void set_quoted(struct sheet *s, const char *key, const char *text)
{
    struct buf quoted = BUF_INIT(BUF_DEFAULT_MAX);
    struct json_writer w = JSON_WRITER_INIT(&quoted);
    json_string(&w, NULL, text);
    view_set_raw(s->view, key, *text ? quoted.data : "");
    buf_release(&quoted);
}

void sheet_set_cff(struct sheet *s)
{
    const char *licence = site_says(s)->licence_url;
    set_quoted(s, "cff_title", titled(s));
    set_quoted(s, "cff_author", cited_author(s));
    set_quoted(s, "cff_date", day_of_site(s));
    set_quoted(s, "cff_url", whole_address(s, ""));
    set_quoted(s, "cff_licence", licence ? licence : "");
    set_quoted(
        s, "cff_version",
        arena_printf(s->arena, "fpreport %s, rule set %s", s->site->tool, s->site->rule_set));
}
