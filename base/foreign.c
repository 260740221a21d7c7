#include "base/foreign.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

bool foreign_is_hidden(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x00, 0x08},     {0x0B, 0x0C},     {0x0E, 0x1F},     {0x7F, 0x9F},     {0x061C, 0x061C},
        {0x200E, 0x200F}, {0x202A, 0x202E}, {0x2066, 0x2069}, {0xFDD0, 0xFDEF}, {0xFFFE, 0xFFFF},
    };
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (c >= hidden[i].first && c <= hidden[i].last)
            return true;
    return c > 0xFFFF && (c & 0xFFFE) == 0xFFFE;
}

bool foreign_url_allowed(const char *url)
{
    static const char *const schemes[] = {"https:", "http:", "mailto:"};
    for (const char *p = url; *p; p++)
        if ((unsigned char)*p <= ' ' || *p == 0x7F || *p == '\\')
            return false;
    if (strncmp(url, "//", 2) == 0)
        return false;
    size_t head = strcspn(url, ":/?#");
    if (url[head] != ':')
        return true;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strncasecmp(url, schemes[i], strlen(schemes[i])) == 0)
            return true;
    return false;
}
