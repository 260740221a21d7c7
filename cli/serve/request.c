#include "cli/serve/request.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TOKEN "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* One character of the target, decoded; -1: it must not be in a path. */
static int decode(const char **at)
{
    int c = (unsigned char)*(*at)++;
    if (c == '%') {
        char hex[3] = {(*at)[0], (*at)[0] ? (*at)[1] : '\0'};
        if (!isxdigit((unsigned char)hex[0]) || !isxdigit((unsigned char)hex[1]))
            return -1;
        *at += 2;
        c = (int)strtol(hex, NULL, 16);
        c = c == '/' ? -1 : c;
    } else if (c == '#') {
        return -1;
    }
    return c < ' ' || c == 0x7F || c == '\\' ? -1 : c;
}

/* No part is empty, "." or ".."; only the last may be empty, which names a folder. */
static bool parts_are_sound(const char *path)
{
    char around[SERVE_PATH_MAX + 3] = "/";
    size_t n = strlen(path);
    memcpy(around + 1, path, n + 1);
    if (n && path[n - 1] != '/')
        memcpy(around + 1 + n, "/", 2);
    return !strstr(around, "//") && !strstr(around, "/./") && !strstr(around, "/../");
}

static int read_target(const char *target, struct serve_request *r)
{
    size_t n = 0, len = strcspn(target, "?");
    if (len > SERVE_PATH_MAX)
        return 414;
    if (*target != '/')
        return 400;
    memcpy(r->raw, target, len);
    r->raw[len] = '\0';
    for (const char *at = r->raw + 1; *at;) {
        int c = decode(&at);
        if (c < 0)
            return 400;
        r->path[n++] = (char)c;
    }
    r->path[n] = '\0';
    return utf8_valid_until(r->path, n) == n && parts_are_sound(r->path) ? 200 : 400;
}

static int read_first_line(char *line, struct serve_request *r)
{
    size_t n = strspn(line, TOKEN);
    char *target = line + n + 1, *version = n && line[n] == ' ' ? strchr(target, ' ') : NULL;
    if (!version || version == target)
        return 400;
    line[n] = *version++ = '\0';
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
        return strlen(version) > 5 && text_starts(version, "HTTP/") ? 505 : 400;
    r->head = strcmp(line, "HEAD") == 0;
    return r->head || strcmp(line, "GET") == 0 ? read_target(target, r) : 405;
}

static bool is_this_machine(char *host)
{
    size_t n = strcspn(host, ":"), digits = host[n] ? strspn(host + n + 1, "0123456789") : 0;
    if (host[n] && (host[n + 1 + digits] || digits > 5))
        return false;
    host[n] = '\0';
    return strcasecmp(host, "localhost") == 0 || strcmp(host, "127.0.0.1") == 0;
}

static int read_request_header(char *line, int *hosts)
{
    size_t n = strspn(line, TOKEN);
    if (!n || line[n] != ':') /* no colon, or white space that folds lines */
        return 400;
    char *value = line + n + 1 + strspn(line + n + 1, " \t");
    for (size_t len = strlen(value); len && strchr(" \t", value[len - 1]); len--)
        value[len - 1] = '\0';
    line[n] = '\0';
    if (strcasecmp(line, "Transfer-Encoding") == 0 ||
        (strcasecmp(line, "Content-Length") == 0 && strcmp(value, "0") != 0))
        return 413;
    if (strcasecmp(line, "Host") != 0)
        return 200;
    if ((*hosts)++)
        return 400;
    return is_this_machine(value) ? 200 : 403;
}

/* What stands before the end of a line; `rest` goes behind it, NULL where there is no more. */
static char *take_request_line(char **rest)
{
    char *line = *rest, *end = strstr(line, "\r\n");
    *rest = end ? end + 2 : NULL;
    if (end)
        *end = '\0';
    return line;
}

int serve_request_parse(const char *data, size_t len, struct serve_request *r)
{
    char text[SERVE_REQUEST_MAX + 1], *rest = text;
    int hosts = 0;
    if (memchr(data, '\0', len))
        return 400;
    if (len > SERVE_REQUEST_MAX)
        return 431;
    memcpy(text, data, len);
    text[len] = '\0';
    char *end = strstr(text, "\r\n\r\n");
    if (!end)
        return len < SERVE_REQUEST_MAX ? 0 : 431;
    *end = '\0';
    int status = read_first_line(take_request_line(&rest), r);
    while (status == 200 && rest)
        status = read_request_header(take_request_line(&rest), &hosts);
    return status == 200 && !hosts ? 400 : status;
}
