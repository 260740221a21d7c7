#include "cli/serve/request.h"

#include "base/text.h"

#include <string.h>
#include <strings.h>

const char *serve_status_name(int status)
{
    static const struct {
        int status;
        const char *name;
    } names[] = {
        {200, "OK"},
        {301, "Moved Permanently"},
        {400, "Bad Request"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status)
            return names[i].name;
    return "Error";
}

/* Bytes from `at` to before `end`. */
struct part {
    const char *at, *end;
};

static size_t part_len(struct part p)
{
    return (size_t)(p.end - p.at);
}

static bool part_is(struct part p, const char *text)
{
    return part_len(p) == strlen(text) && memcmp(p.at, text, part_len(p)) == 0;
}

static bool part_is_name(struct part p, const char *text)
{
    return part_len(p) == strlen(text) && strncasecmp(p.at, text, part_len(p)) == 0;
}

/* What stands before `stop`, which is passed over; all that is left when there is none. */
static struct part take_part(struct part *rest, const char *stop)
{
    struct part p = *rest;
    const char *found = memmem(rest->at, part_len(*rest), stop, strlen(stop));
    p.end = found ? found : rest->end;
    rest->at = found ? found + strlen(stop) : rest->end;
    return p;
}

static bool is_token(struct part p)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";
    for (const char *c = p.at; c < p.end; c++)
        if (!((*c >= '0' && *c <= '9') || ((*c | 0x20) >= 'a' && (*c | 0x20) <= 'z') ||
              (*c && strchr(marks, *c))))
            return false;
    return p.at < p.end;
}

/* ---- the path -------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c | 0x20 : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* One character of the target, decoded; -1: it must not be in a path. */
static int decode(const char **at, const char *end)
{
    int c = (unsigned char)*(*at)++;
    bool encoded = c == '%';
    if (encoded) {
        int high = end - *at >= 2 ? hex_digit((*at)[0]) : -1;
        int low = high >= 0 ? hex_digit((*at)[1]) : -1;
        if (low < 0)
            return -1;
        c = high * 16 + low;
        *at += 2;
    }
    bool bad = c < ' ' || c == 0x7F || c == '\\' || (encoded && c == '/') || (!encoded && c == '#');
    return bad ? -1 : c;
}

/* No part is empty, "." or ".."; only the last may be empty, which names a folder. */
static bool parts_are_sound(const char *path)
{
    for (const char *part = path; *part;) {
        size_t n = strcspn(part, "/");
        if (n == 0 || (n == 1 && part[0] == '.') || (n == 2 && memcmp(part, "..", 2) == 0))
            return false;
        part += n + (part[n] == '/');
    }
    return true;
}

/* ---- the lines ------------------------------------------------------------------------- */

static int read_first_line(struct part line, struct serve_request *r)
{
    struct part method = take_part(&line, " "), target = take_part(&line, " ");
    if (!is_token(method) || target.at == target.end)
        return 400;
    if (!part_is(line, "HTTP/1.1") && !part_is(line, "HTTP/1.0"))
        return part_len(line) > 5 && memcmp(line.at, "HTTP/", 5) == 0 ? 505 : 400;
    r->head = part_is(method, "HEAD");
    if (!r->head && !part_is(method, "GET"))
        return 405;
    const char *query = memchr(target.at, '?', part_len(target));
    size_t n = 0;
    target.end = query ? query : target.end;
    if (part_len(target) > SERVE_PATH_MAX)
        return 414;
    if (target.at == target.end || *target.at != '/')
        return 400;
    memcpy(r->raw, target.at, part_len(target));
    r->raw[part_len(target)] = '\0';
    for (const char *at = target.at + 1; at < target.end;) {
        int c = decode(&at, target.end);
        if (c < 0)
            return 400;
        r->path[n++] = (char)c;
    }
    r->path[n] = '\0';
    return utf8_valid_until(r->path, n) == n && parts_are_sound(r->path) ? 200 : 400;
}

static bool is_port(struct part p)
{
    for (const char *c = p.at; c < p.end; c++)
        if (*c < '0' || *c > '9')
            return false;
    return part_len(p) <= 5;
}

static bool is_this_machine(struct part host)
{
    struct part name = take_part(&host, ":");
    return (part_is_name(name, "localhost") || part_is(name, "127.0.0.1")) && is_port(host);
}

struct headers {
    int hosts;
    int status;
};

static int read_request_header(struct part line, struct headers *h)
{
    struct part name = take_part(&line, ":");
    if (!is_token(name) || name.end == line.end) /* no colon, or white space that folds lines */
        return 400;
    while (line.at < line.end && (*line.at == ' ' || *line.at == '\t'))
        line.at++;
    while (line.at < line.end && (line.end[-1] == ' ' || line.end[-1] == '\t'))
        line.end--;
    if (part_is_name(name, "Transfer-Encoding") ||
        (part_is_name(name, "Content-Length") && !part_is(line, "0")))
        return 413;
    if (!part_is_name(name, "Host"))
        return 200;
    if (h->hosts++)
        return 400;
    return is_this_machine(line) ? 200 : 403;
}

int serve_request_parse(const char *data, size_t len, struct serve_request *r)
{
    struct part all = {data, data + len};
    struct headers h = {0};
    if (memchr(data, '\0', len))
        return 400;
    const char *end = memmem(data, len, "\r\n\r\n", 4);
    if (!end)
        return len < SERVE_REQUEST_MAX ? 0 : 431;
    all.end = end;
    int status = read_first_line(take_part(&all, "\r\n"), r);
    while (status == 200 && all.at < all.end)
        status = read_request_header(take_part(&all, "\r\n"), &h);
    return status == 200 && h.hosts == 0 ? 400 : status;
}
