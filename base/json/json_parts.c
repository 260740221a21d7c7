#include "base/json/json_parts.h"

#include <string.h>

static void skip_json_blanks(struct json_parts *p)
{
    while (p->at < p->end && strchr(" \t\r\n", *p->at) && *p->at)
        p->at++;
}

/* Behind the closing quote. */
static void skip_text(struct json_parts *p)
{
    const char *at = p->at + 1;
    while (at < p->end && *at != '"')
        at += *at == '\\' && at + 1 < p->end ? 2 : 1;
    p->bad |= at >= p->end;
    p->at = at < p->end ? at + 1 : p->end;
}

static struct bytes take_value(struct json_parts *p)
{
    const char *from = p->at;
    if (p->at >= p->end)
        p->bad = true;
    else if (*p->at == '"')
        skip_text(p);
    else if (*p->at == '{' || *p->at == '[') {
        int depth = 0;
        do {
            char c = *p->at;
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
            if (c == '"')
                skip_text(p);
            else
                p->at++;
        } while (depth && p->at < p->end);
        p->bad |= depth != 0;
    } else {
        while (p->at < p->end && !memchr(" \t\r\n,]}\"[{:", *p->at, 11))
            p->at++;
        p->bad |= p->at == from;
    }
    return (struct bytes){from, (size_t)(p->at - from)};
}

static bool take_sign(struct json_parts *p, char sign)
{
    skip_json_blanks(p);
    bool is = p->at < p->end && *p->at == sign;
    p->at += is;
    return is;
}

struct json_parts json_parts_of(struct bytes value)
{
    struct json_parts p = {.at = value.data, .end = value.data + value.len};
    p.object = take_sign(&p, '{');
    p.bad = !p.object && !take_sign(&p, '[');
    return p;
}

bool json_parts_next(struct json_parts *p, struct json_part *out)
{
    *out = (struct json_part){.key = {NULL, 0}};
    if (p->bad || take_sign(p, p->object ? '}' : ']'))
        return false;
    p->bad = p->begun && !take_sign(p, ',');
    p->begun = true;
    skip_json_blanks(p);
    if (p->object && !p->bad) {
        p->bad = p->at >= p->end || *p->at != '"';
        struct bytes key = p->bad ? (struct bytes){NULL, 0} : take_value(p);
        p->bad = p->bad || !take_sign(p, ':');
        if (!p->bad)
            out->key = (struct bytes){key.data + 1, key.len - 2};
        skip_json_blanks(p);
    }
    if (!p->bad)
        out->value = take_value(p);
    return !p->bad;
}

bool json_part_is(const struct json_part *part, const char *key)
{
    return part->key.data && part->key.len == strlen(key) &&
           memcmp(part->key.data, key, part->key.len) == 0;
}
