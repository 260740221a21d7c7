#include "verifier/runs/run_layout.h"

#include "base/files/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define MISSING_SHOWN 200 /* bytes; what is behind them is only said to be there */

static int compare_run_numbers(const void *a, const void *b)
{
    const struct run_number *x = a, *y = b;
    int order = (x->number > y->number) - (x->number < y->number);
    return order ? order : (x->file > y->file) - (x->file < y->file);
}

void run_numbers_sort(struct run_numbers *all)
{
    if (all->n > 1)
        qsort(all->items, all->n, sizeof *all->items, compare_run_numbers);
}

const struct run_number *run_numbers_first(const struct run_numbers *all, long number)
{
    size_t low = 0, high = all->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->items[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < all->n && all->items[low].number == number ? &all->items[low] : NULL;
}

static const char *range(size_t from, size_t end, struct arena *arena)
{
    return end - from == 1 ? arena_printf(arena, "%zu", from)
                           : arena_printf(arena, "%zu-%zu", from, end - 1);
}

const char *run_numbers_missing(const struct run_numbers *all, size_t n, struct arena *arena)
{
    const char *text = NULL;
    size_t next = 0; /* the lowest that may be missing */
    for (size_t i = 0; i <= all->n && next < n; i++) {
        size_t there = i < all->n ? (size_t)all->items[i].number : n;
        if (there > next) {
            const char *gap = range(next, there, arena);
            text = text ? arena_printf(arena, "%s, %s", text, gap) : gap;
        }
        if (there >= next)
            next = there + 1;
        if (text && strlen(text) > MISSING_SHOWN)
            return arena_printf(arena, "%s, …", text);
    }
    return text;
}

#define PARTS_MAX 32
#define KEY_PARTS 6

/* A number of at most five digits at s; *end is what follows. RUN_NONE when there is none. */
static long number_at(const char *s, const char **end)
{
    long value = 0;
    size_t n = 0;
    for (; text_is_digit(s[n]) && n < 6; n++)
        value = value * 10 + (s[n] - '0');
    *end = s + n;
    return n && value <= RUN_NUMBER_MAX ? value : RUN_NONE;
}

/* The number between a prefix and a suffix that are the whole of the name. */
static long number_in_name(const char *name, const char *prefix, const char *suffix)
{
    const char *end;
    if (!text_starts(name, prefix))
        return RUN_NONE;
    long value = number_at(name + strlen(prefix), &end);
    return strcmp(end, suffix) == 0 ? value : RUN_NONE;
}

/* "10.1.2.3_noderank1" */
static bool read_node(const char *name, struct arena *arena, struct run_place *out)
{
    static const char mark[] = "_noderank";
    const char *at = NULL;
    for (const char *hit = name; (hit = strstr(hit, mark)); hit++)
        at = hit;
    if (!at || number_in_name(at, mark, "") == RUN_NONE)
        return false;
    out->node = number_in_name(at, mark, "");
    out->host = arena_strndup(arena, name, (size_t)(at - name));
    return true;
}

/* Logs of all processes of a node, by the whole name. */
static const char *const node_logs[] = {
    "rank0.log.txt",        "megatron.log.txt",  "megatron-deepspeed.log.txt",
    "megatron_pai.log.txt", "flagscale.log.txt", "flagscale_main.log.txt",
};

static const char *const bench_logs[] = {
    "benchmark.log.txt", "benchmarks.log.txt", "toolkit.log.txt",
    "toolkits.log.txt",  "operation.log.txt",
};

static bool is_host_output(const char *base)
{
    const char *end;
    return text_starts(base, "host_") && number_at(base + 5, &end) != RUN_NONE && *end == '_' &&
           text_ends(base, ".output");
}

/* Splits at '/', without "" and ".". */
static size_t split_path(const char *path, struct arena *arena, const char **parts)
{
    size_t n = 0;
    while (*path && n < PARTS_MAX) {
        size_t len = strcspn(path, "/");
        if (len && !(len == 1 && path[0] == '.'))
            parts[n++] = arena_strndup(arena, path, len);
        path += len + (path[len] == '/');
    }
    return n;
}

void run_place_of(const char *path, struct arena *arena, struct run_place *out)
{
    const char *parts[PARTS_MAX];
    size_t n = split_path(path, arena, parts);
    *out = (struct run_place){NULL, NULL, RUN_NONE, RUN_NONE, RUN_NONE, false, false};
    const char *base = path_base(path);
    out->rank = number_in_name(base, "rank", ".out.log");
    /* Logs that the launcher inside of a container names by the node: "noderank1.log.txt" (its own
     * stdout, with the summary, is flagperf.log.txt), and those of TensorFlow, "noderank1.out.log".
     */
    long node = number_in_name(base, "noderank", ".log.txt");
    out->node = node != RUN_NONE ? node : number_in_name(base, "noderank", ".out.log");
    out->node_log = is_host_output(base) || out->node != RUN_NONE;
    for (size_t i = 0; i < sizeof node_logs / sizeof node_logs[0]; i++)
        out->node_log = out->node_log || strcmp(base, node_logs[i]) == 0;
    for (size_t i = 0; i < sizeof bench_logs / sizeof bench_logs[0]; i++)
        out->bench = out->bench || strcmp(base, bench_logs[i]) == 0;
    out->node_log = out->node_log || out->bench;
    /* The deepest pair of round and node, so that folders above may be called anything. */
    for (size_t i = n; i-- > 1;) {
        long round = number_in_name(parts[i - 1], "round", "");
        if (round == RUN_NONE || !read_node(parts[i], arena, out))
            continue;
        out->round = round;
        out->kase = i > 1 ? parts[i - 2] : NULL;
        return;
    }
    /* The benchmarks of chips and operators have no rounds: <case>/<host>_noderank<N>/<file>. */
    if (out->bench && n > 2 && read_node(parts[n - 2], arena, out))
        out->kase = parts[n - 3];
}

void case_key_parse(const char *text, struct arena *arena, struct case_key *out)
{
    char *parts[KEY_PARTS];
    size_t n = 0;
    const char *rest = text;
    *out =
        (struct case_key){.text = text, .nnodes = RUN_NONE, .nproc = RUN_NONE, .repeat = RUN_NONE};
    bool more = true;
    while (n < KEY_PARTS && more) {
        size_t len = strcspn(rest, ":");
        parts[n++] = arena_strndup(arena, rest, len);
        more = rest[len] == ':';
        rest += len + more;
    }
    if (n != KEY_PARTS || more)
        return;
    parts[1][strcspn(parts[1], "_")] = '\0';
    out->model = parts[0];
    out->framework = parts[1];
    out->hardware = parts[2];
    out->nnodes = number_in_name(parts[3], "", "");
    out->nproc = number_in_name(parts[4], "", "");
    out->repeat = number_in_name(parts[5], "", "");
    out->whole = out->nnodes > 0 && out->nproc > 0 && out->repeat > 0 &&
                 out->nnodes * out->nproc <= RUN_NUMBER_MAX;
}

bool case_key_on_processor(const struct case_key *key)
{
    return key->whole && strcmp(key->hardware, "cpu") == 0;
}

bool run_logs_every_rank(const char *framework)
{
    static const char *const every[] = {"pytorch", "paddle"};
    for (size_t i = 0; i < sizeof every / sizeof every[0]; i++)
        if (strcmp(framework, every[i]) == 0)
            return true;
    return false;
}

bool run_is_training_log(const char *path)
{
    static const char *const endings[] = {".log", ".log.txt", ".output", ".csv"};
    static const char *const others[] = {"sys_info.log", "sys_info.log.txt", "source_env.log.txt",
                                         "flagperf_run.log", "container_main.log.txt"};
    const char *base = path_base(path);
    bool ending = false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        ending = ending || text_ends(base, endings[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        ending = ending && strcmp(base, others[i]) != 0;
    bool launcher = text_starts(base, "start_") && text_ends(base, "_task.log");
    return ending && !launcher && !text_ends(base, "_monitor.log");
}

bool run_script_case(const char *script, struct arena *arena, const char **model,
                     const char **framework)
{
    static const char file[] = "/run_pretraining.py";
    if (!script || !text_ends(script, file))
        return false;
    char *folder = arena_strndup(arena, script, strlen(script) - strlen(file));
    char *slash = strrchr(folder, '/');
    if (!slash)
        return false;
    *slash = '\0';
    *model = path_base(folder);
    *framework = slash + 1;
    return true;
}
