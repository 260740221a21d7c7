#include "verifier/claims/plan_words.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_LARGEST 100000

static const struct plan_word {
    const char *text; /* text_fold form */
    size_t at;
    bool letters; /* a sign must stand between it and the number: "TP4" is a plan of its own */
} words[] = {
    {"tensor", offsetof(struct plan, tensor), false},
    {"tp", offsetof(struct plan, tensor), true},
    {"pipeline", offsetof(struct plan, pipeline), false},
    {"pipline", offsetof(struct plan, pipeline), false},
    {"pp", offsetof(struct plan, pipeline), true},
    {"data_parallel", offsetof(struct plan, data), false},
    {"dp", offsetof(struct plan, data), true},
};

/* "_model_parallel_size": what stands between the word and its number. */
static const char *skip_parts(const char *s)
{
    static const char *const parts[] = {"_", "-", "model", "parallel", "size", "degree"};
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
            if (text_starts(s, parts[i])) {
                s += strlen(parts[i]);
                more = true;
            }
    }
    return s;
}

/* The number that belongs to the word at `at`; 0 when there is none. */
static long plan_word_size(const struct plan_word *w, const char *folded, const char *at)
{
    const char *s = at + strlen(w->text);
    char before = at > folded ? at[-1] : ' ';
    if ((before >= 'a' && before <= 'z') || before == '_' || (before & 0x80))
        return 0;
    s = w->letters ? s : skip_parts(s);
    bool sign = *s == '=' || *s == ':';
    if (w->letters && !sign)
        return 0;
    s += sign;
    size_t n = strspn(s, "0123456789");
    long value = n && n < 7 && s[n] != '.' ? strtol(s, NULL, 10) : 0;
    return value <= SIZE_LARGEST ? value : 0;
}

bool plan_words_find(const char *text, struct arena *arena, struct plan *out)
{
    const char *folded = text_fold(arena, text);
    *out = (struct plan){0, 0, 0, 0, 0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        long value = 0;
        for (const char *at = strstr(folded, words[i].text); at && !value;
             at = strstr(at + 1, words[i].text))
            value = plan_word_size(&words[i], folded, at);
        if (value)
            memcpy((char *)out + words[i].at, &value, sizeof value);
    }
    return out->tensor || out->pipeline;
}
