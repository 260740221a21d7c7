#include "cli/serve/files.h"

#include "base/files/beneath.h"

#include <limits.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define INDEX "index.html"

/* ---- finding --------------------------------------------------------------------------- */

const char *serve_type(const char *path)
{
    static const struct {
        const char *suffix, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".json", "application/json; charset=utf-8"},
        {".csv", "text/csv; charset=utf-8"},
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
    size_t len = strlen(path);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t n = strlen(types[i].suffix);
        if (len >= n && strcasecmp(path + len - n, types[i].suffix) == 0)
            return types[i].type;
    }
    return "application/octet-stream";
}

static bool is_served_folder(const char *path)
{
    size_t n = strlen(path);
    return n == 0 || path[n - 1] == '/';
}

/* The file that a path is of: a folder's is its index. Hidden files are not served. */
static bool file_of_path(const char *path, char file[PATH_MAX])
{
    size_t n = strlen(path);
    if (n + sizeof INDEX > PATH_MAX || path[0] == '.' || strstr(path, "/."))
        return false;
    memcpy(file, path, n + 1);
    if (is_served_folder(path))
        memcpy(file + n, INDEX, sizeof INDEX);
    return true;
}

int serve_file_open(const char *root, const char *path, struct serve_file *file)
{
    char name[PATH_MAX];
    struct stat st;
    int fd = file_of_path(path, name) ? beneath_open(root, name) : -1;
    if (fd < 0)
        return 404;
    int found = fstat(fd, &st) < 0                               ? 404
                : S_ISREG(st.st_mode)                            ? 200
                : S_ISDIR(st.st_mode) && !is_served_folder(path) ? 301
                                                                 : 404;
    if (found != 200)
        close(fd);
    else
        *file = (struct serve_file){fd, st.st_size, serve_type(name)};
    return found;
}

/* ---- the page for what is missing ------------------------------------------------------- */

static bool is_relative(const char *link, const char *end)
{
    size_t n = 0;
    while (link + n < end && !strchr(":/?#\"", link[n]))
        n++;
    return n > 0 && (link + n == end || link[n] != ':');
}

/* The address of the site that the page names its style sheet by: "https://bench.example.org/". */
static struct bytes address_of(const char *html, size_t len)
{
    static const char opening[] = "<link rel=\"stylesheet\" href=\"", name[] = "style.css\"";
    struct bytes none = {"", 0};
    const char *at = memmem(html, len, opening, sizeof opening - 1);
    if (!at)
        return none;
    at += sizeof opening - 1;
    const char *quote = memchr(at, '"', len - (size_t)(at - html));
    size_t n = quote ? (size_t)(quote + 1 - at) : 0, tail = sizeof name - 1;
    return n > tail && memcmp(at + n - tail, name, tail) == 0 ? (struct bytes){at, n - tail} : none;
}

void serve_page_from_root(const char *html, size_t len, struct buf *out)
{
    static const char *const opening[] = {" href=\"", " src=\""};
    const char *end = html + len, *from = html;
    struct bytes site = address_of(html, len);
    for (const char *at = html; at < end; at++)
        for (size_t i = 0; i < sizeof opening / sizeof *opening; i++) {
            size_t n = strlen(opening[i]);
            if ((size_t)(end - at) < n || memcmp(at, opening[i], n) != 0)
                continue;
            bool whole = site.len && (size_t)(end - at) - n >= site.len &&
                         memcmp(at + n, site.data, site.len) == 0;
            if (!whole && !is_relative(at + n, end))
                continue;
            buf_add(out, from, (size_t)(at + n - from));
            buf_str(out, "/");
            from = at + n + (whole ? site.len : 0);
        }
    buf_add(out, from, (size_t)(end - from));
}

/* ---- the script ------------------------------------------------------------------------ */

/* The first `what` in the text, letters of either case; NULL. */
static const char *find_folded(const char *text, const char *end, const char *what)
{
    size_t n = strlen(what);
    for (const char *at = text; (size_t)(end - at) >= n; at++)
        if (strncasecmp(at, what, n) == 0)
            return at;
    return NULL;
}

struct policy {
    const char *at, *end; /* directives, separated by ';' */
};

/* The next directive, without white space before it; `rest` goes behind it. */
static bool next_directive(struct policy *rest, struct policy *d)
{
    while (rest->at < rest->end && strchr("; \t\r\n", *rest->at))
        rest->at++;
    const char *semicolon = memchr(rest->at, ';', (size_t)(rest->end - rest->at));
    *d = (struct policy){rest->at, semicolon ? semicolon : rest->end};
    rest->at = d->end;
    return d->at < d->end;
}

static bool is_directive_named(struct policy d, const char *name)
{
    size_t n = strlen(name), len = (size_t)(d.end - d.at);
    return len >= n && strncasecmp(d.at, name, n) == 0 && (len == n || strchr(" \t\r\n", d.at[n]));
}

/* Value of a directive; false when the policy does not have it. The first one counts. */
static bool directive(struct policy p, const char *name, struct policy *value)
{
    for (struct policy d; next_directive(&p, &d);)
        if (is_directive_named(d, name)) {
            *value = (struct policy){d.at + strlen(name), d.end};
            return true;
        }
    return false;
}

/* The policy with 'self' for scripts and connections; a directive that is not there is as
 * default-src, and without that nothing is forbidden. */
static void put_policy(struct policy p, struct buf *out)
{
    static const char *const ours[] = {"script-src", "connect-src"};
    struct policy value, rest = p;
    const char *between = "";
    for (struct policy d; next_directive(&rest, &d);) {
        if (is_directive_named(d, ours[0]) || is_directive_named(d, ours[1]))
            continue;
        buf_printf(out, "%s%.*s", between, (int)(d.end - d.at), d.at);
        between = "; ";
    }
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        if (!directive(p, ours[i], &value) && !directive(p, "default-src", &value))
            continue;
        buf_printf(out, "%s%s", between, ours[i]);
        /* Sources of a directive and 'self'; 'none' stands alone or not at all. */
        while (value.at < value.end) {
            value.at += strspn(value.at, " \t\r\n");
            size_t n = value.at < value.end ? strcspn(value.at, " \t\r\n;") : 0;
            if (n > (size_t)(value.end - value.at))
                n = (size_t)(value.end - value.at);
            if (n && !(n == 6 && memcmp(value.at, "'none'", 6) == 0) &&
                !(n == 6 && memcmp(value.at, "'self'", 6) == 0))
                buf_printf(out, " %.*s", (int)n, value.at);
            value.at += n;
        }
        buf_str(out, " 'self'");
        between = "; ";
    }
}

/* The value of the first policy in the page. */
static bool find_policy(const char *html, const char *end, struct policy *p)
{
    const char *meta = find_folded(html, end, "http-equiv=\"Content-Security-Policy\"");
    const char *close = meta ? memchr(meta, '>', (size_t)(end - meta)) : NULL;
    p->at = close ? find_folded(meta, close, "content=\"") : NULL;
    if (!p->at)
        return false;
    p->at += strlen("content=\"");
    p->end = memchr(p->at, '"', (size_t)(close - p->at));
    return p->end != NULL;
}

void serve_page_with_script(const char *html, size_t len, const char *build, struct buf *out)
{
    const char *end = html + len, *body = NULL;
    struct policy p;
    if (find_policy(html, end, &p)) {
        buf_add(out, html, (size_t)(p.at - html));
        put_policy(p, out);
        html = p.end;
    }
    for (const char *at = html; (at = find_folded(at, end, "</body>")); at++)
        body = at; /* the last one */
    body = body ? body : end;
    buf_add(out, html, (size_t)(body - html));
    buf_printf(out, "<script src=\"/" SERVE_OWN "reload.js\" data-build=\"%s\"></script>\n", build);
    buf_add(out, body, (size_t)(end - body));
}
