/* Reads one log as the verifier does and says what was in it: lines, known, steps, and the peak of
 * memory in KiB. For tests/bench/logs.py. */
#include "verifier/log.h"

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

int main(int argc, char **argv)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct log log;
    struct err err = ERR_INIT;
    diags_init(&diags, &arena);
    if (argc != 2 || log_read_file(argv[1], &log, &arena, &diags, &err) < 0) {
        fprintf(stderr, "read_log: %s\n", argc == 2 ? err.text : "expected one log");
        return 2;
    }
    printf("%d %zu %zu %ld\n", log.lines, log.known, log.n_points, peak_kib());
    arena_release(&arena);
    return 0;
}
