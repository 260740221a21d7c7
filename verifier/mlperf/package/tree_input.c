/* What of MLPerf Training lies at a path, by its content. */
#include "verifier/mlperf/package/tree.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/foreign.h"
#include "base/text.h"

#include <fcntl.h>
#include <unistd.h>

#define HEAD_BYTES ((size_t)1 << 20)

/* The first MiB of a file, with a NUL behind it; n 0: it is none, or empty. */
static struct span head_of_file(const char *path, struct arena *arena)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct span head = {"", 0};
    struct stat st;
    if (fd < 0)
        return head;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        size_t most = (size_t)st.st_size < HEAD_BYTES ? (size_t)st.st_size : HEAD_BYTES;
        char *bytes = arena_room(arena, most + 1);
        ssize_t n = pread(fd, bytes, most, 0);
        bytes[n > 0 ? n : 0] = '\0';
        head = (struct span){bytes, n > 0 ? (size_t)n : 0};
    }
    close(fd);
    return head;
}

static bool is_mlperf_log(const char *path, struct arena *arena)
{
    struct span head = head_of_file(path, arena);
    return head.n > 0 && mllog_is((struct bytes){head.p, head.n});
}

/* Words alone are looked for: what a log holds is parsed in a worker. */
const char *mlperf_benchmark_named(const char *path, struct arena *arena)
{
    struct span rest = head_of_file(path, arena);
    while (rest.n) {
        struct span line = span_cut(&rest, '\n');
        struct span value = span_from(line, span_find(line, "\"submission_benchmark\""));
        value = span_from(value, span_find(value, "\"value\":"));
        if (!value.n)
            continue;
        span_cut(&value, ':');
        value = span_trim(value);
        if (!span_starts(value, "\""))
            return NULL;
        value = span_from(value, 1);
        value = span_cut(&value, '"');
        return foreign_line(arena, arena_strndup(arena, value.p, value.n), MLLOG_SHOWN_MAX);
    }
    return NULL;
}

static bool is_result_name(const char *name)
{
    return text_starts(name, "result_") && text_ends(name, ".txt");
}

/* Does the folder hold a file result_*.txt, at this many levels below it? `log`: one that is a log.
 */
static bool has_results(const char *path, int levels, bool log, struct arena *arena)
{
    struct err ignored = ERR_INIT;
    struct dir_entry *entries;
    size_t n;
    if (dir_list(path, arena, &entries, &n, &ignored) < 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        const char *below = path_join(arena, path, entries[i].name);
        if (levels && entries[i].is_dir && has_results(below, levels - 1, log, arena))
            return true;
        if (!levels && entries[i].is_regular && is_result_name(entries[i].name) &&
            (!log || is_mlperf_log(below, arena)))
            return true;
    }
    return false;
}

static bool is_mlperf_package(const char *path, struct arena *arena)
{
    const char *results = path_join(arena, path, "results");
    return file_is_dir(results) && (file_is_dir(path_join(arena, path, "systems")) ||
                                    has_results(results, 2, false, arena));
}

static bool is_round(const char *path, struct arena *arena)
{
    struct err ignored = ERR_INIT;
    struct dir_entry *entries;
    size_t n;
    if (dir_list(path, arena, &entries, &n, &ignored) < 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (entries[i].is_dir && is_mlperf_package(path_join(arena, path, entries[i].name), arena))
            return true;
    return false;
}

enum mlperf_input mlperf_input_of(const char *path)
{
    struct arena scratch = ARENA_INIT;
    enum mlperf_input kind = MLPERF_NO_INPUT;
    if (!file_is_dir(path)) {
        struct span head =
            text_ends(path, ".json") ? head_of_file(path, &scratch) : (struct span){"", 0};
        kind = span_find(head, "\"fpreport.mlperf_result/1\"") < head.n ? MLPERF_RECORD
               : is_mlperf_log(path, &scratch)                          ? MLPERF_LOG
                                                                        : MLPERF_NO_INPUT;
    } else if (is_mlperf_package(path, &scratch))
        kind = MLPERF_PACKAGE;
    else if (has_results(path, 0, true, &scratch))
        kind = MLPERF_DIRECTORY;
    else if (is_round(path, &scratch))
        kind = MLPERF_ROUND;
    arena_release(&scratch);
    return kind;
}
