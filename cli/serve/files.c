#include "cli/serve/files.h"

#include "base/files/beneath.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

const char *serve_type(const char *path)
{
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".csv", "text/csv; charset=utf-8"},
        {".json", "application/json; charset=utf-8"},
        {".md", "text/markdown; charset=utf-8"},
        {".txt", "text/plain; charset=utf-8"},
        {".log", "text/plain; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".xml", "application/xml"},
        {".atom", "application/atom+xml"},
        {".zst", "application/zstd"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcasecmp(dot, types[i][0]) == 0)
            return types[i][1];
    return "application/octet-stream";
}

int serve_file_open(const char *root, const char *path, struct serve_file *file)
{
    char name[PATH_MAX];
    struct stat st;
    size_t n = strlen(path);
    bool folder = n == 0 || path[n - 1] == '/';
    int len = snprintf(name, sizeof name, "%s%s", path, folder ? "index.html" : "");
    if (len >= PATH_MAX || name[0] == '.' || strstr(name, "/."))
        return 404;
    int fd = beneath_open(root, name);
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        *file = (struct serve_file){fd, st.st_size, serve_type(name)};
        return 200;
    }
    bool other = fd >= 0 && !folder && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
    if (fd >= 0)
        close(fd);
    return other ? 301 : 404;
}

/* ---- the page for what is missing ------------------------------------------------------- */

/* "https://bench.example.org/" where the style sheet is https://bench.example.org/style.css. */
static size_t address_of(const char *html, size_t len, const char **address)
{
    static const char opening[] = "<link rel=\"stylesheet\" href=\"", name[] = "style.css";
    const char *at = memmem(html, len, opening, sizeof opening - 1);
    *address = at ? at + sizeof opening - 1 : html;
    const char *quote = at ? memchr(*address, '"', len - (size_t)(*address - html)) : NULL;
    size_t n = quote ? (size_t)(quote - *address) : 0, tail = sizeof name - 1;
    return n > tail && memcmp(quote - tail, name, tail) == 0 ? n - tail : 0;
}

static bool is_relative(const char *link, const char *end)
{
    size_t n = 0;
    while (link + n < end && !strchr(":/?#\"", link[n]))
        n++;
    return n > 0 && (link + n == end || link[n] != ':');
}

void serve_page_from_root(const char *html, size_t len, struct buf *out)
{
    static const char *const openings[] = {" href=\"", " src=\""};
    const char *end = html + len, *from = html, *site;
    size_t n_site = address_of(html, len, &site);
    for (const char *at = html; at < end; at++)
        for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
            size_t n = strlen(openings[i]), left = (size_t)(end - at);
            if (left < n || memcmp(at, openings[i], n) != 0)
                continue;
            bool whole = n_site && left - n >= n_site && memcmp(at + n, site, n_site) == 0;
            if (!whole && !is_relative(at + n, end))
                continue;
            buf_add(out, from, (size_t)(at + n - from));
            buf_char(out, '/');
            from = at + n + (whole ? n_site : 0);
        }
    buf_add(out, from, (size_t)(end - from));
}

/* ---- the script ------------------------------------------------------------------------ */

#define BLANKS " \t\r\n"

/* The next directive of a policy, for which `at` begins with NULL; its length. */
static size_t next_directive(const char *policy, const char **at)
{
    *at = *at ? *at + strcspn(*at, ";") : policy;
    *at += strspn(*at, ";" BLANKS);
    return strcspn(*at, ";");
}

static bool is_directive(const char *at, const char *name)
{
    size_t n = strlen(name);
    return strncasecmp(at, name, n) == 0 && strchr(";" BLANKS, at[n]);
}

/* Its sources with 'self'; 'none' stands alone or not at all. */
static void put_sources(const char *value, size_t len, struct buf *out)
{
    for (const char *end = value + len; value < end;) {
        value += strspn(value, BLANKS);
        size_t n = strcspn(value, ";" BLANKS);
        if (n && strncmp(value, "'none'", 6) != 0 && strncmp(value, "'self'", 6) != 0)
            buf_printf(out, " %.*s", (int)n, value);
        value += n ? n : 1;
    }
    buf_str(out, " 'self'");
}

/* The policy with 'self' for scripts and connections; a directive that is not there is as
 * default-src, and without that nothing is forbidden. The first one of a name counts. */
static void put_policy(const char *policy, struct buf *out)
{
    static const char *const ours[] = {"script-src", "connect-src"};
    const char *between = "", *at = NULL;
    for (size_t n; (n = next_directive(policy, &at));)
        if (!is_directive(at, ours[0]) && !is_directive(at, ours[1])) {
            buf_printf(out, "%s%.*s", between, (int)n, at);
            between = "; ";
        }
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        const char *own = NULL, *usual = NULL;
        at = NULL;
        while (next_directive(policy, &at)) {
            own = !own && is_directive(at, ours[i]) ? at + strlen(ours[i]) : own;
            usual = !usual && is_directive(at, "default-src") ? at + strlen("default-src") : usual;
        }
        own = own ? own : usual;
        if (!own)
            continue;
        buf_printf(out, "%s%s", between, ours[i]);
        put_sources(own, strcspn(own, ";"), out);
        between = "; ";
    }
}

void serve_page_with_script(const char *html, size_t len, const char *build, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    const char *page = arena_strndup(&scratch, html, len), *end = page + len, *body = end;
    const char *meta = strcasestr(page, "http-equiv=\"Content-Security-Policy\"");
    const char *close = meta ? strchr(meta, '>') : NULL;
    const char *value = close ? strcasestr(meta, "content=\"") : NULL;
    const char *quote = value && value < close ? strchr(value + 9, '"') : NULL;
    if (quote && quote < close) {
        value += 9;
        buf_add(out, page, (size_t)(value - page));
        put_policy(arena_strndup(&scratch, value, (size_t)(quote - value)), out);
        page = quote;
    }
    for (const char *at = page; (at = strcasestr(at, "</body>")); at++)
        body = at; /* the last one */
    buf_add(out, page, (size_t)(body - page));
    buf_printf(out, "<script src=\"/" SERVE_OWN "reload.js\" data-build=\"%s\"></script>\n", build);
    buf_add(out, body, (size_t)(end - body));
    arena_release(&scratch);
}
