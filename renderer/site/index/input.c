#include "renderer/site/index/input.h"

#include "base/files/file.h"
#include "base/foreign.h"
#include "base/text.h"

#include <string.h>
#include <strings.h>

#define SETTINGS_FILE "site.json"
#define PAIRS_MAX 1000

static const struct field pair_fields[] = {
    FIELD(PATH, struct site_pair, a, .required = true, .doc = "One result, as `<vendor>/<case>`."),
    FIELD(PATH, struct site_pair, b, .required = true, .doc = "The other."),
};
static const struct shape pair_shape =
    SHAPE("compared pair", struct site_pair, pair_fields,
          .doc = "Two results that get a page side by side.", .flat = true);

static const struct field fields[] = {
    FIELD(WORDS, struct site_settings, title, .doc = "Name of the website."),
    FIELD(
        TEXT, struct site_settings, url,
        .doc =
            "Address that the site is published at, of https: or http:, with `/` at its end. Feeds "
            "need it for whole addresses; without it there is no site map."),
    FIELD(TEXT, struct site_settings, problems,
          .doc = "Where a reader reports a wrong figure: an address of https: or mailto:."),
    FIELD(WORDS, struct site_settings, operator,
          .doc = "Who publishes this website and answers for it."),
    FIELD(TEXT, struct site_settings, contact,
          .doc = "Where the operator is reached: an address of https: or mailto:."),
    FIELD(WORDS, struct site_settings, licence,
          .doc = "Terms under which others may use what is published here, such as `CC BY 4.0`."),
    FIELD(TEXT, struct site_settings, licence_url,
          .doc = "Where these terms can be read: an address of https:."),
    FIELD(TEXT, struct site_settings, archive,
          .doc =
              "Folder of the archive of submissions, seen from the folder of the records; absent: "
              "`archive` beside that."),
    FIELD(DATE, struct site_settings, date,
          .doc =
              "Day of this publication, `YYYY-MM-DD`: verdicts that are new in it are dated by it, "
              "since no clock is asked."),
    FIELD_LIST(OBJECTS, struct site_settings, compare, .shape = &pair_shape,
               .doc = "Pairs of results that get a page side by side."),
};

static void check_url(const char *key, const char *url, const struct json *at,
                      struct shape_load_ctx *ctx)
{
    const struct json *member = json_get(at, key);
    if (url && !foreign_url_whole(url))
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, member->line, member->col,
                  "%s is '%s', expected an address of https:, http: or mailto:", key, url);
}

/* Paths of the site are put behind it. */
static bool is_site_address(const char *url)
{
    bool mail = strncasecmp(url, "mailto:", strlen("mailto:")) == 0;
    return foreign_url_whole(url) && !mail && !strpbrk(url, "?#") && text_ends(url, "/");
}

static void check_settings_record(const void *value, const struct json *at,
                                  struct shape_load_ctx *ctx)
{
    const struct site_settings *s = value;
    check_url("problems", s->problems, at, ctx);
    check_url("contact", s->contact, at, ctx);
    check_url("licence_url", s->licence_url, at, ctx);
    if (s->url && !is_site_address(s->url))
        diags_add(
            ctx->diags, SEVERITY_ERROR, ctx->file, json_get(at, "url")->line,
            json_get(at, "url")->col,
            "url is '%s', expected an address of https: or http: with '/' at its end, without "
            "'?' and '#'",
            s->url);
    if (s->n_compare > PAIRS_MAX)
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, json_get(at, "compare")->line, 0,
                  "%zu pairs to compare, expected at most %d", s->n_compare, PAIRS_MAX);
}

static const struct shape settings_shape =
    SHAPE("site", struct site_settings, fields, .doc = "What an operator says about the website.",
          .schema = "fpreport.site/1", .check = check_settings_record);

int site_settings_load(struct site_settings *out, const char *records, struct arena *arena,
                       struct diags *diags)
{
    const char *path = path_join(arena, records, SETTINGS_FILE);
    struct err err = ERR_INIT;
    shape_init(&settings_shape, out);
    int there = file_is_there(path, &err);
    if (there < 0)
        diags_add_err(diags, path, 0, 0, &err);
    if (there <= 0)
        return there;
    return shape_load_file(&settings_shape, path, out, arena, diags);
}
