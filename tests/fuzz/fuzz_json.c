/* JSON against cJSON: what the strict reader takes, cJSON takes, too, with the same values, and
 * what it takes are no texts that two readers could read in two ways. */
#include "tests/fuzz/fuzz.h"

#include "base/json/json.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_scalar(const struct json *j, const cJSON *c)
{
    switch (j->kind) {
    case JSON_NULL:
        return cJSON_IsNull(c);
    case JSON_BOOL:
        return cJSON_IsBool(c) && j->truth == (bool)cJSON_IsTrue(c);
    case JSON_NUMBER:
        return cJSON_IsNumber(c) && isfinite(c->valuedouble) && j->number == c->valuedouble;
    case JSON_STRING:
        return cJSON_IsString(c) && strcmp(j->text, c->valuestring) == 0;
    default:
        return false;
    }
}

static bool same(const struct json *j, const cJSON *c)
{
    if (j->kind != JSON_ARRAY && j->kind != JSON_OBJECT)
        return same_scalar(j, c);
    if (j->kind == JSON_ARRAY ? !cJSON_IsArray(c) : !cJSON_IsObject(c))
        return false;
    const cJSON *item = c->child;
    for (const struct json *m = j->child; m; m = m->next, item = item->next) {
        if (!item || !same(m, item))
            return false;
        if (j->kind == JSON_OBJECT &&
            (strcmp(m->key, item->string) != 0 || json_get(j, m->key) != m))
            return false; /* another name, or one that is there twice */
    }
    return !item;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct json *json;
    const char *text = arena_strndup(&arena, (const char *)data, size);
    diags_init(&diags, &arena);
    if (json_parse("j.json", (struct bytes){text, size}, &arena, &json, &diags) == 0) {
        cJSON *other = cJSON_ParseWithLength(text, size);
        if (!other || !same(json, other))
            abort();
        cJSON_Delete(other);
    } else if (!diags.errors) {
        abort();
    }
    arena_release(&arena);
    return 0;
}
