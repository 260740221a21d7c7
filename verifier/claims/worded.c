#include "verifier/claims/worded.h"

#include "base/figures/figure.h"
#include "base/figures/worded_number.h"
#include "base/project/looks.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* What must follow a number behind a name, for the name to be its own. */
enum name_needs { NEEDS_NOTHING, NEEDS_TIME, NEEDS_RATIO, NEEDS_MEMORY };

static const struct claim_name {
    const char *text;
    enum name_needs needs;
    bool machine; /* a list of the machine's parts may say it */
    enum worded_of of;
} names[] = {
    {"mfu", NEEDS_NOTHING, false, WORDED_OF_SHARE},
    {"hfu", NEEDS_NOTHING, false, WORDED_OF_SHARE},
    {"tgs", NEEDS_NOTHING, false, WORDED_OF_RATE},
    {"tps", NEEDS_NOTHING, false, WORDED_OF_RATE},
    {"loss", NEEDS_NOTHING, false, WORDED_OF_LOSS},
    {"throughput", NEEDS_NOTHING, false, WORDED_OF_RATE},
    {"score", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"accuracy", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"acc", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"ppl", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"perplexity", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"mmlu", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"mmmu", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"auc", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"bleu", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"speed", NEEDS_NOTHING, true, WORDED_OF_RATE},
    {"efficiency", NEEDS_NOTHING, false, WORDED_OF_NOTHING},
    {"utilization", NEEDS_NOTHING, false, WORDED_OF_SHARE},
    {"utilisation", NEEDS_NOTHING, false, WORDED_OF_SHARE},
    {"每秒", NEEDS_NOTHING, false, WORDED_OF_RATE},
    {"吞吐量", NEEDS_NOTHING, false, WORDED_OF_RATE},
    {"吞吐", NEEDS_NOTHING, false, WORDED_OF_RATE},
    {"损失", NEEDS_NOTHING, false, WORDED_OF_LOSS},
    {"准确率", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"得分", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"利用率", NEEDS_NOTHING, false, WORDED_OF_SHARE},
    {"使用率", NEEDS_NOTHING, false, WORDED_OF_SHARE},
    {"效率", NEEDS_NOTHING, false, WORDED_OF_NOTHING},
    {"困惑度", NEEDS_NOTHING, false, WORDED_OF_SCORE},
    {"速度", NEEDS_NOTHING, true, WORDED_OF_RATE},
    {"算力", NEEDS_NOTHING, true, WORDED_OF_NOTHING},
    {"功耗", NEEDS_NOTHING, true, WORDED_OF_POWER},
    {"step time", NEEDS_TIME, false, WORDED_OF_TIME},
    {"time to train", NEEDS_TIME, false, WORDED_OF_TIME},
    {"training time", NEEDS_TIME, false, WORDED_OF_TIME},
    {"latency", NEEDS_TIME, true, WORDED_OF_TIME},
    {"耗时", NEEDS_TIME, false, WORDED_OF_TIME},
    {"用时", NEEDS_TIME, false, WORDED_OF_TIME},
    {"时长", NEEDS_TIME, false, WORDED_OF_TIME},
    {"训练时间", NEEDS_TIME, false, WORDED_OF_TIME},
    {"端到端时间", NEEDS_TIME, false, WORDED_OF_TIME},
    {"speedup", NEEDS_RATIO, false, WORDED_OF_NOTHING},
    {"faster", NEEDS_RATIO, false, WORDED_OF_NOTHING},
    {"加速比", NEEDS_NOTHING, false, WORDED_OF_NOTHING},
    {"提升", NEEDS_RATIO, false, WORDED_OF_NOTHING},
    {"快", NEEDS_RATIO, false, WORDED_OF_NOTHING},
    {"显存占用", NEEDS_MEMORY, true, WORDED_OF_MEMORY},
    {"显存使用", NEEDS_MEMORY, true, WORDED_OF_MEMORY},
    {"显存峰值", NEEDS_MEMORY, true, WORDED_OF_MEMORY},
    {"峰值显存", NEEDS_MEMORY, true, WORDED_OF_MEMORY},
    {"peak memory", NEEDS_MEMORY, true, WORDED_OF_MEMORY},
    {"memory usage", NEEDS_MEMORY, true, WORDED_OF_MEMORY},
    {"memory used", NEEDS_MEMORY, true, WORDED_OF_MEMORY},
    {"线性度", NEEDS_NOTHING, false, WORDED_OF_NOTHING},
    {"linearity", NEEDS_NOTHING, false, WORDED_OF_NOTHING},
    {"能效", NEEDS_NOTHING, false, WORDED_OF_NOTHING},
};

static const struct claim_unit {
    const char *text;
    bool machine, percent; /* percent: of a percentage only: "7b mfu" is none */
    enum worded_of of;
} units[] = {
    {"tflops", true, false, WORDED_OF_NOTHING},
    {"tflop", true, false, WORDED_OF_NOTHING},
    {"pflops", true, false, WORDED_OF_NOTHING},
    {"pflop", true, false, WORDED_OF_NOTHING},
    {"gflops", true, false, WORDED_OF_NOTHING},
    {"kw", true, false, WORDED_OF_POWER},
    {"w", true, false, WORDED_OF_POWER},
    {"watts", true, false, WORDED_OF_POWER},
    {"watt", true, false, WORDED_OF_POWER},
    {"千瓦", true, false, WORDED_OF_POWER},
    {"瓦", true, false, WORDED_OF_POWER},
    {"mfu", false, true, WORDED_OF_SHARE},
    {"hfu", false, true, WORDED_OF_SHARE},
    {"tps", false, false, WORDED_OF_RATE},
    {"tgs", false, false, WORDED_OF_RATE},
    {"利用率", false, true, WORDED_OF_SHARE},
    {"倍速", false, false, WORDED_OF_NOTHING},
    {"times faster", false, false, WORDED_OF_NOTHING},
    {"x faster", false, false, WORDED_OF_NOTHING},
    {"x speedup", false, false, WORDED_OF_NOTHING},
    {"eflops", true, false, WORDED_OF_NOTHING},
    {"utilization", false, true, WORDED_OF_SHARE},
    {"utilisation", false, true, WORDED_OF_SHARE},
    {"efficiency", false, true, WORDED_OF_NOTHING},
    {"s/it", false, false, WORDED_OF_NOTHING},
    {"s/iter", false, false, WORDED_OF_NOTHING},
    {"s/step", false, false, WORDED_OF_NOTHING},
    {"ms/it", false, false, WORDED_OF_NOTHING},
    {"ms/iter", false, false, WORDED_OF_NOTHING},
    {"ms/step", false, false, WORDED_OF_NOTHING},
    {"sec/step", false, false, WORDED_OF_NOTHING},
    {"秒/步", false, false, WORDED_OF_NOTHING},
};

/* The longer of two that begin alike comes first. */
static const char *const counted[] = {
    "tokens", "token", "toks",   "tok",   "samples", "sample", "sequences",  "sequence",
    "seqs",   "seq",   "images", "image", "imgs",    "img",    "iterations", "iteration",
    "iters",  "iter",  "it",     "steps", "step",    "词元",   "令牌",       "样本",
    "序列",   "图片",  "图像",   "字",    "词"};

static const char *const times[] = {
    "milliseconds", "ms",   "毫秒",  "seconds", "second", "secs", "sec", "秒钟", "秒",   "minutes",
    "minute",       "mins", "min",   "分钟",    "hours",  "hour", "hrs", "小时", "days", "day",
    "天",           "日",   "joule", "j",       "kwh",    "wh",   "s",   "h",    "d"};

static const char *const shares[] = {"gpus",    "gpu",    "cards", "card", "npus",  "npu",
                                     "devices", "device", "chips", "chip", "ranks", "rank",
                                     "nodes",   "node",   "卡",    "机",   "节点",  "p"};

static const char *const each[] = {"/", "per", "每", "a", "每个"};

static const char *const memories[] = {"gb", "gib", "g", "mb", "mib", "m"};

static const char *const ratios[] = {"x", "倍", "times", "fold"};

/* Behind a number: it counts these, or is of the machine. */
static const char *const counts[] = {
    "gpu", "card", "node", "step", "epoch", "layer", "shot", "bit", "batch", "gb",
    "gib", "mb",   "mib",  "tb",   "ghz",   "mhz",   "gt/",  "卡",  "张",    "机",
    "台",  "步",   "轮",   "层",   "节点",  "核",    "年",   "月",  "日"};

/* Beside a number: it is the best one. */
static const char *const bests[] = {"peak", "max",    "best", "top",  "up to", "highest", "record",
                                    "最高", "最大",   "最好", "最优", "峰值",  "可达",    "高达",
                                    "达到", "actual", "real", "实际", "实测"};

static const char *const links[] = {
    " ",    "=",        ":",      "为",       "达到",     "达",       "约",   "高达", "可达",
    "可以", "超过",     "超",     "近",       "~",        "≈",        ">",    "is ",  "of ",
    "was ", "at ",      "up to ", "reaches ", "reached ", "*",        "处理", "(",    "-",
    "—",    "exceeds ", "above ", "over ",    "below ",   "of peak",  "→",    "降到", "降至",
    "升到", "可",       "能",     "只有",     "仅",       "exceeded "};

static bool is_word_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *behind_spaces(const char *s)
{
    return s + strspn(s, " ");
}

/* The length of the first of these that stands at s; words of letters must end there. 0: none. */
static size_t length_of_word(const char *s, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(list[i]);
        bool letters = isalpha((unsigned char)list[i][length - 1]);
        if (strncmp(s, list[i], length) == 0 && !(letters && is_word_letter(s[length])))
            return length;
    }
    return 0;
}

static bool begins_with_any(const char *s, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text_starts(s, list[i]))
            return true;
    return false;
}

/* What a rate is per: `time` and `share` stand at the places of the last of each, or are NULL. */
static size_t scan_rate(const char *s, const char **time, const char **share)
{
    size_t n = length_of_word(s, counted, COUNT(counted));
    *time = *share = NULL;
    for (const char *at = s + n; n;) {
        at = behind_spaces(at);
        at = behind_spaces(at + length_of_word(at, each, COUNT(each)));
        bool linked = at > s + n;
        size_t t = linked ? length_of_word(at, times, COUNT(times)) : 0;
        size_t part = linked && !t ? length_of_word(at, shares, COUNT(shares)) : 0;
        if (!t && !part)
            break;
        *(t ? time : share) = at;
        at += t + part;
        n = (size_t)(at - s);
    }
    return n;
}

/* A rate's unit at the start of s: "tokens/s/gpu", "samples per second", "token每秒". Returns the
 * bytes read, 0: it is none. */
static size_t worded_rate(const char *s)
{
    const char *time, *share;
    size_t n = scan_rate(s, &time, &share);
    return time ? n : 0;
}

bool worded_rate_of_second(const char *s)
{
    static const char *const seconds[] = {"seconds", "second", "secs", "sec", "秒钟", "秒", "s"};
    static const char *const several[] = {"nodes", "node", "机", "节点"};
    const char *time, *share;
    size_t n = scan_rate(s, &time, &share);
    return time && !s[n] && length_of_word(time, seconds, COUNT(seconds)) &&
           !(share && length_of_word(share, several, COUNT(several)));
}

/* What a unit at s says that a number is of; WORDED_OF_NONE: it is none. */
static enum worded_of of_unit(const char *s, bool percent, enum worded_in in)
{
    s += strspn(s, " (");
    s += text_starts(s, "个") ? strlen("个") : 0;
    s = behind_spaces(s);
    if (worded_rate(s))
        return WORDED_OF_RATE;
    for (size_t i = 0; i < COUNT(units); i++) {
        size_t n = strlen(units[i].text);
        bool power = units[i].text[n - 1] == 'w'; /* "w/ recompute" is none */
        if (text_starts(s, units[i].text) && !is_word_letter(s[n]) && !(power && s[n] == '/'))
            return (percent || !units[i].percent) && !(units[i].machine && in == WORDED_IN_MACHINE)
                       ? units[i].of
                       : WORDED_OF_NONE;
    }
    return WORDED_OF_NONE;
}

/* "理论算力": what the card could do at most. */
static bool is_theoretical(const char *text, size_t i)
{
    static const char *const before[] = {"理论", "标称", "标定", "theoretical ", "nominal "};
    for (size_t k = 0; k < COUNT(before); k++) {
        size_t n = strlen(before[k]);
        if (i >= n && strncmp(text + i - n, before[k], n) == 0)
            return true;
    }
    return false;
}

/* A name that stands whole in `text` at i. "loss scale" is another thing. */
static const struct claim_name *metric_name_at(const char *text, size_t i, enum worded_in in)
{
    for (size_t k = 0; k < COUNT(names); k++) {
        const struct claim_name *x = &names[k];
        size_t n = strlen(x->text);
        if (!text_starts(text + i, x->text) || (x->machine && in == WORDED_IN_MACHINE))
            continue;
        bool letters = isalpha((unsigned char)x->text[0]);
        const char *behind = text + i + n;
        if (letters && ((i && is_word_letter(text[i - 1])) || isalpha((unsigned char)*behind) ||
                        text_starts(behind + strspn(behind, " _-"), "scal")))
            continue;
        if (is_theoretical(text, i))
            continue;
        return x;
    }
    return NULL;
}

static const char *behind_links(const char *s)
{
    for (size_t i = 0; i < COUNT(links); i++)
        if (text_starts(s, links[i])) {
            s += strlen(links[i]);
            i = (size_t)-1;
        }
    return s;
}

/* Is a number that ends at `behind` one that this name is of? */
static bool fits_name(const struct claim_name *name, const struct worded_number *x,
                      const char *behind)
{
    const char *word = behind_spaces(behind);
    if (name->needs == NEEDS_TIME)
        return length_of_word(word, times, COUNT(times)) > 0;
    if (name->needs == NEEDS_RATIO)
        return x->percent || length_of_word(word, ratios, COUNT(ratios)) > 0;
    if (name->needs == NEEDS_MEMORY)
        return x->percent || length_of_word(word, memories, COUNT(memories)) > 0;
    bool date = behind[0] == '-' && text_is_digit(behind[1]);
    return !date && !begins_with_any(word, counts, COUNT(counts));
}

/* The first name of a label; of a rate in it ("tokens/s") that of a throughput. */
static const struct claim_name *name_of_label(const char *label, enum worded_in in)
{
    for (size_t i = 0; label && label[i]; i++) {
        const struct claim_name *name = metric_name_at(label, i, in);
        bool begins = !i || !is_word_letter(label[i - 1]);
        if (name)
            return name;
        if (begins && worded_rate(label + i))
            return &names[0];
    }
    return NULL;
}

static bool keep_worded(const char *at, size_t n, const struct worded_number *x, enum worded_of of,
                        struct arena *arena, struct worded *out)
{
    *out = (struct worded){arena_strndup(arena, at, n), behind_spaces(at + n), x->value,
                           x->decimals, of};
    return true;
}

/* The number behind the name at i. */
static bool claim_of_name(const char *text, size_t i, const struct claim_name *name, size_t *at,
                          struct arena *arena, struct worded *out)
{
    struct worded_number x;
    const char *end = text + i + strlen(name->text), *from = behind_links(end);
    size_t n = worded_number_scan(from, &x);
    if (!n ||
        (from == end && !x.percent && isalnum((unsigned char)*end) &&
         isalpha((unsigned char)end[-1])) ||
        !(fits_name(name, &x, from + n) || of_unit(from + n, x.percent, WORDED_IN_TEXT)))
        return false;
    *at = (size_t)(from - text) + n;
    enum worded_of unit = of_unit(from + n, x.percent, WORDED_IN_TEXT);
    return keep_worded(from, n, &x, unit ? unit : name->of, arena, out);
}

/* "m.f.u.", "m f u": how many single letters stand here with one sign between them; 0 below three.
 */
static size_t spelled_letters(const char *s)
{
    size_t n = 1;
    if (!isalpha((unsigned char)s[0]) || !s[1] || !strchr(". -", s[1]))
        return 0;
    while (s[2 * n - 1] == s[1] && isalpha((unsigned char)s[2 * n]))
        n++;
    n -= is_word_letter(s[2 * n - 1]); /* the last one begins a word */
    return n < 3 ? 0 : n;
}

static const char *join_spelled(struct arena *arena, const char *s)
{
    char *joined = arena_strdup(arena, s), *to = joined;
    while (*s) {
        bool begins = to == joined || !is_word_letter(to[-1]);
        size_t n = begins ? spelled_letters(s) : 0;
        for (size_t i = 0; i < n; i++)
            *to++ = s[2 * i];
        if (n)
            s += 2 * n - (s[2 * n - 1] != '.'); /* with the last point */
        else
            *to++ = *s++;
    }
    *to = '\0';
    return joined;
}

const char *worded_plain(struct arena *arena, const char *text)
{
    const char *digits = looks_digits(arena, figure_without_tags(arena, text));
    return join_spelled(arena, looks_plain(arena, digits));
}

/* ---- multiples ------------------------------------------------------------------------------- */

/* A clause that has one of these compares speeds. */
static const char *const speeds[] = {"性能",     "速度",   "吞吐",  "算力",         "加速",
                                     "训练时间", "耗时",   "speed", "performance",  "throughput",
                                     "faster",   "slower", " fast", "training time"};

static const char *const multiples[] = {
    "twice the", "twice as", "twice that", "double the", "doubled",  "doubles",
    "tripled",   "triples",  "triple the", "quadrupled", "half the", "翻倍",
    "翻番",      "翻了",     "减半",       "缩短一半",   "快一倍",   "快了一倍"};

static bool has_speed(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < COUNT(speeds); k++)
            if (strlen(speeds[k]) <= n - i && text_starts(s + i, speeds[k]))
                return true;
    return false;
}

/* Does the clause around text[i], or the label, speak of a speed? */
static bool speaks_of_speed(const char *text, size_t i, const char *label)
{
    size_t from = i, to = i + strcspn(text + i, ".;,()!?\n");
    while (from && !strchr(".;,()!?\n", text[from - 1]))
        from--;
    return has_speed(text + from, to - from) || (label && has_speed(label, strlen(label)));
}

bool worded_next(const char *text, size_t *at, const char *label, enum worded_in in,
                 struct arena *arena, struct worded *out)
{
    const struct claim_name *of = name_of_label(label, in);
    for (size_t i = *at, n; text[i]; i += n ? n : 1) {
        struct worded_number x;
        char before = i ? text[i - 1] : ' ';
        bool starts = (text[i] & 0xC0) != 0x80 && !isdigit((unsigned char)before) && before != '.';
        n = starts ? worded_number_scan(text + i, &x) : 0;
        bool word = !is_word_letter(before) && before != '-';
        enum worded_of unit = n ? of_unit(text + i + n, x.percent, in) : WORDED_OF_NONE;
        /* "倍", "x": never "x8" or "2x H100" without a word of speed. */
        bool multiple = n && length_of_word(behind_spaces(text + i + n), ratios, COUNT(ratios)) &&
                        speaks_of_speed(text, i, label);
        bool claimed = unit || multiple || (n && of && word && fits_name(of, &x, text + i + n));
        size_t said = n || !word ? 0 : length_of_word(text + i, multiples, COUNT(multiples));
        const struct claim_name *name = n ? NULL : metric_name_at(text, i, in);
        if (claimed) {
            *at = i + n;
            enum worded_of kind = unit ? unit : multiple ? WORDED_OF_NOTHING : of->of;
            return keep_worded(text + i, n, &x, kind, arena, out);
        }
        if (said && speaks_of_speed(text, i, label)) {
            *at = i + said;
            x = (struct worded_number){.value = NAN};
            return keep_worded(text + i, said, &x, WORDED_OF_NOTHING, arena, out);
        }
        if (name && claim_of_name(text, i, name, at, arena, out))
            return true;
    }
    *at = strlen(text);
    return false;
}

/* Does one of these words end in front of text[i]? */
static bool is_best_before(const char *text, size_t i)
{
    while (i && strchr(" :=", text[i - 1]))
        i--;
    for (size_t k = 0; k < COUNT(bests); k++) {
        size_t n = strlen(bests[k]);
        if (i >= n && strncmp(text + i - n, bests[k], n) == 0)
            return true;
    }
    return false;
}

/* Nothing that it could be a number of stands on either side. */
static bool is_alone(const char *text, size_t i, const char *behind)
{
    static const char *const about[] = {" ", "~", "≈", "约", "about"};
    for (size_t k = 0; k < COUNT(about); k++) {
        size_t n = strlen(about[k]);
        if (i >= n && strncmp(text + i - n, about[k], n) == 0) {
            i -= n;
            k = (size_t)-1;
        }
    }
    behind = behind_spaces(behind);
    return (!i || strchr(",;:()/", text[i - 1])) && (!*behind || strchr(",;)/", *behind));
}

bool worded_second(const char *remark, struct arena *arena, struct worded *out)
{
    struct worded_number x;
    size_t at = 0;
    if (worded_next(remark, &at, NULL, WORDED_IN_TEXT, arena, out))
        return true;
    for (size_t i = 0, n; remark[i]; i += n ? n : 1) {
        bool starts = (remark[i] & 0xC0) != 0x80 && !(i && is_word_letter(remark[i - 1]));
        n = starts ? worded_number_scan(remark + i, &x) : 0;
        const char *behind = remark + i + n;
        if (n && (is_alone(remark, i, behind) || is_best_before(remark, i) ||
                  begins_with_any(behind_spaces(behind), bests, COUNT(bests))))
            return keep_worded(remark + i, n, &x, WORDED_OF_SCORE, arena, out);
    }
    return false;
}
