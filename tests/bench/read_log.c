/* Reads a log, or a folder of a run with all its logs at once, as the verifier does and says what
 * was in it: lines, known, steps, and the peak of memory in KiB. For tests/bench/logs.py. */
#include "base/files/file.h"
#include "verifier/runs/run_tree.h"

#include <stdio.h>

/* Not getrusage's, which also knows the process that this one was forked from. */
static long peak_kib(void)
{
    char line[200];
    long kib = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &kib) == 1)
            break;
    if (status)
        fclose(status);
    return kib;
}

static int read_any(const char *path, struct arena *arena, struct run_tree *t, struct err *err)
{
    struct diags diags;
    diags_init(&diags, arena);
    if (file_is_dir(path))
        return run_tree_open(path, NULL, arena, &diags, t, err);
    *t = (struct run_tree){.logs = arena_alloc(arena, sizeof *t->logs), .n_logs = 1};
    return log_read_file(path, &t->logs->log, arena, &diags, err);
}

int main(int argc, char **argv)
{
    struct arena arena = ARENA_INIT;
    struct run_tree t;
    struct err err = ERR_INIT;
    size_t lines = 0, known = 0, steps = 0;
    if (argc != 2 || read_any(argv[1], &arena, &t, &err) < 0) {
        fprintf(stderr, "read_log: %s\n", argc == 2 ? err.text : "expected a log or a folder");
        return 2;
    }
    for (size_t i = 0; i < t.n_logs; i++) {
        lines += (size_t)t.logs[i].log.lines;
        known += t.logs[i].log.known;
        steps += t.logs[i].log.n_points;
    }
    printf("%zu %zu %zu %ld\n", lines, known, steps, peak_kib());
    arena_release(&arena);
    return 0;
}
