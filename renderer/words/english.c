#include "renderer/words/english.h"

#include "base/arena.h"
#include "base/figures/labels.h"
#include "base/figures/metrics.h"
#include "base/text.h"

#include <string.h>

/* "Nvidia GPU配置与运行信息参考" -> "Nvidia GPU configuration and run information"; what stands
 * behind the fixed words is kept, too. */
const char *english_title(struct arena *arena, const char *title)
{
    const struct label *l = label_by_key(LABEL_SECTION, "title");
    const char *at = strstr(title, l->text.zh);
    if (!at)
        return title;
    const char *before = text_trim_n(arena, title, (size_t)(at - title));
    return arena_printf(arena, "%s%s%s%s", before, before[0] ? " " : "", l->text.en,
                        at + strlen(l->text.zh));
}

/* The text between "**" and "**", and whether there were any. */
static const char *without_bold(struct arena *arena, const char *text, bool *bold)
{
    size_t n = strlen(text);
    *bold = n > 4 && text_starts(text, "**") && text_ends(text, "**");
    return *bold ? arena_strndup(arena, text + 2, n - 4) : text;
}

/* "mfu,见“性能指标”" -> "mfu, see "Performance"". */
static const char *english_reference(struct arena *arena, const char *text)
{
    static const char *const forms[] = {",见“性能指标”", "，见“性能指标”", ", 见“性能指标”"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (text_ends(text, forms[i]))
            return arena_printf(arena, "%.*s, see \"Performance\"",
                                (int)(strlen(text) - strlen(forms[i])), text);
    return text;
}

const char *english_general(struct arena *arena, const char *text, size_t column)
{
    bool bold;
    const char *inner = without_bold(arena, text, &bold);
    const char *english = column == 0 ? label_english(LABEL_GENERAL, inner, arena)
                                      : label_english(LABEL_PHRASE, inner, arena);
    if (column == 1 && english == inner)
        english = english_reference(arena, inner);
    return bold ? arena_printf(arena, "**%s**", english) : english;
}

const char *english_general_header(struct arena *arena, const char *text, size_t column)
{
    (void)column;
    return label_english(LABEL_COLUMN, text, arena);
}

static bool is_ascii(const char *s)
{
    while (*s && (unsigned char)*s < 0x80)
        s++;
    return *s == '\0';
}

/* Field names stay what they are; a Chinese header becomes an English one of the same column
 * that importing knows. */
const char *english_header(struct arena *arena, const char *text, size_t column)
{
    (void)arena, (void)column;
    const struct metrics_column *m = is_ascii(text) ? NULL : metrics_column(text);
    if (m && metrics_column(m->label.en) == m)
        return m->label.en;
    for (size_t i = 0; m && m->spellings[i]; i++)
        if (is_ascii(m->spellings[i]))
            return m->spellings[i];
    return text;
}

/* ---- words inside of a text -------------------------------------------------------------------
 */

struct replaced {
    const char *zh, *en;
};

/* "H800 2机16卡": a number of machines is parted from the card as those in words are. */
static const char *with_commas(struct arena *arena, const char *text)
{
    const char *at = strstr(text, "机"), *digits = at, *before;
    while (digits && digits > text && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    before = digits;
    while (before && before > text && before[-1] == ' ')
        before--;
    return digits == at || before == text || before == digits
               ? text
               : arena_printf(arena, "%.*s, %s", (int)(before - text), text, digits);
}

/* Every one of the n words, the first that fits at each place. */
static const char *with_words(struct arena *arena, const char *text, const struct replaced *words,
                              size_t n)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    while (*text) {
        size_t i = 0;
        while (i < n && !text_starts(text, words[i].zh))
            i++;
        if (i < n)
            buf_str(&out, words[i].en);
        else
            buf_char(&out, *text);
        text += i < n ? strlen(words[i].zh) : 1;
    }
    return buf_text(&out, arena);
}

/* "1 nodes", "1 cards" -> "1 node", "1 card"; "11 cards" stays. */
static const char *with_singulars(struct arena *arena, const char *text)
{
    static const char *const plurals[] = {"1 nodes", "1 cards"};
    char *out = arena_strdup(arena, text);
    for (size_t i = 0; i < sizeof plurals / sizeof *plurals; i++)
        for (char *at = out; (at = strstr(at, plurals[i])); at++) {
            char *s = at + strlen(plurals[i]) - 1;
            bool number = at > out && strchr("0123456789.,x-", at[-1]);
            bool word = (s[1] >= 'a' && s[1] <= 'z') || (s[1] >= 'A' && s[1] <= 'Z');
            if (!number && !word)
                memmove(s, s + 1, strlen(s));
        }
    return out;
}

const char *configuration_shown(struct arena *arena, const char *text)
{
    size_t star = text_starts(text, "\\*") ? 2 : *text == '*';
    char *out = arena_strdup(arena, text[star] ? text + star : text);
    for (char *dash = out; (dash = strchr(dash, '-')); dash++) {
        size_t digits = strspn(dash + 1, "0123456789");
        if (dash > out && digits && text_starts(dash + 1 + digits, "机"))
            *dash = ' ';
    }
    return out;
}

const char *english_configuration(struct arena *arena, const char *text)
{
    static const struct replaced words[] = {
        {"单机单卡", ", 1 node, 1 card"},
        {"单机", ", 1 node, "},
        {"两机", ", 2 nodes, "},
        {"二机", ", 2 nodes, "},
        {"四机", ", 4 nodes, "},
        {"八机", ", 8 nodes, "},
        {"十机", ", 10 nodes, "},
        {"多机", ", several nodes, "},
        {"机", " nodes, "},
        {"单卡", "1 card"},
        {"卡", " cards"},
        {"（", " ("},
        {"）", ")"},
        {"，", ", "},
    };
    if (!text_has_han(text))
        return text;
    text = configuration_shown(arena, text);
    const char *english = with_singulars(
        arena, with_words(arena, with_commas(arena, text), words, sizeof words / sizeof *words));
    return text_has_han(english) ? text : english + (text_starts(english, ", ") ? 2 : 0);
}

const char *english_settings(struct arena *arena, const char *text)
{
    size_t n;
    const struct label *rows = labels_of(LABEL_GENERAL, &n);
    struct replaced words[64];
    if (!text_has_han(text) || n > sizeof words / sizeof *words)
        return text;
    for (size_t i = 0; i < n; i++)
        words[i] = (struct replaced){rows[i].text.zh, rows[i].text.en};
    return with_words(arena, text, words, n);
}
