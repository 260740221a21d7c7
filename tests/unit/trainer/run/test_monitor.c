/* monitor, sampler and session: known counters give known samples; a whole run of a command. */
#include "base/files/dir.h"
#include "tests/unit/unit.h"

#include "tests/unit/machine.h"

#include "base/json/json.h"
#include "trainer/run/monitor.h"
#include "trainer/run/sampler.h"
#include "trainer/run/session.h"

#include <fcntl.h>
#include <regex.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static const char *text_of(struct machine *m, const char *path)
{
    struct bytes got;
    if (file_read(path, (size_t)1 << 20, &m->arena, &got, &m->err) < 0)
        fail_msg("%s", m->err.text);
    return got.data;
}

static const char *log_text(struct machine *m, const char *name)
{
    return text_of(m, machine_path(m, path_join(&m->arena, "logs", name)));
}

/* The whole text, with time stamps of FlagPerf's form written as T. */
static void assert_log(struct machine *m, const char *name, const char *pattern)
{
    struct buf whole;
    regex_t compiled;
    buf_init(&whole, 10000);
    buf_char(&whole, '^');
    for (const char *c = pattern; *c; c++)
        if (*c == 'T')
            buf_str(&whole, "[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}:[0-9]{2}:[0-9]{2}");
        else
            buf_char(&whole, *c);
    buf_char(&whole, '$');
    assert_int_equal(regcomp(&compiled, whole.data, REG_EXTENDED | REG_NOSUB), 0);
    const char *text = log_text(m, name);
    if (regexec(&compiled, text, 0, NULL, 0) != 0)
        fail_msg("%s is '%s', expected '%s'", name, text, pattern);
    regfree(&compiled);
    buf_release(&whole);
}

static struct monitor_options options_of(struct machine *m)
{
    assert_int_equal(file_mkdirs(machine_path(m, "logs"), &m->err), 0);
    return (struct monitor_options){.folder = machine_path(m, "logs"),
                                    .interval_ms = 20,
                                    .root = m->root,
                                    .library = "libnone.so.1"};
}

static void wait_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long watts_in(const char *line)
{
    return strtol(strchr(line, '\t') + 1, NULL, 10);
}

static void counters_become_samples(void **state)
{
    struct machine *m = *state;
    struct monitor_options options = options_of(m);
    machine_file(m, "proc/stat", "cpu  100 0 100 800 50 0 0 0 7 0\ncpu0 1 1 1 1\n");
    machine_file(m, "proc/meminfo", "MemTotal: 1000 kB\nMemFree: 5 kB\nMemAvailable:  250 kB\n");
    machine_file(m, "sys/class/powercap/intel-rapl:0/energy_uj", "1000000\n");
    machine_file(m, "sys/class/powercap/intel-rapl:0/max_energy_range_uj", "90000000\n");
    machine_file(m, "sys/class/powercap/intel-rapl:0:0/energy_uj", "5\n");
    double began = now_s();
    struct sampler *s = sampler_new(&options);
    machine_file(m, "proc/stat", "cpu  110 5 110 860 65 0 0 0 9 0\n");
    machine_file(m, "sys/class/powercap/intel-rapl:0/energy_uj", "3000000\n");
    wait_ms(100);
    assert_int_equal(sampler_take(s, &m->err), 0);
    /* 100 ticks passed, 60 of them idle; iowait is not idle, guest time is part of user time */
    assert_log(m, "cpu_monitor.log", "T\t0.4000\n");
    assert_log(m, "mem_monitor.log", "T\t0.7500\n");
    assert_log(m, "pwr_monitor.log", "T\t[0-9]+\n");
    assert_true(watts_in(log_text(m, "pwr_monitor.log")) <= 20); /* 2 J in at least 0.1 s */
    machine_file(m, "sys/class/powercap/intel-rapl:0/energy_uj", "1000000\n"); /* round once */
    machine_file(m, "proc/meminfo", "broken");
    wait_ms(100);
    assert_int_equal(sampler_take(s, &m->err), 0);
    double most = now_s() - began; /* a busy machine may take its time between the two */
    assert_log(m, "cpu_monitor.log", "T\t0.4000\n"); /* no tick has passed: no sample */
    assert_log(m, "mem_monitor.log", "T\t0.7500\n");
    assert_log(m, "pwr_monitor.log", "T\t[0-9]+\nT\t[0-9]+\n");
    long watts = watts_in(strchr(log_text(m, "pwr_monitor.log"), '\n') + 1);
    assert_true((double)watts > 88 / most - 1 && watts <= 880); /* 88 J in at least 0.1 s */
    sampler_free(s);
}

static void nothing_to_read_is_no_file(void **state)
{
    struct machine *m = *state;
    struct monitor_options options = options_of(m);
    struct dir_entry *entries;
    size_t n;
    char *path = arena_strdup(&m->arena, getenv("PATH"));
    setenv("PATH", "", 1);
    struct sampler *s = sampler_new(&options);
    setenv("PATH", path, 1);
    assert_int_equal(sampler_take(s, &m->err), 0);
    sampler_free(s);
    assert_int_equal(dir_list(machine_path(m, "logs"), &m->arena, &entries, &n, &m->err), 0);
    assert_int_equal(n, 0);
}

static void cards_are_sampled(void **state)
{
    struct machine *m = *state;
    struct monitor_options options = options_of(m);
    options.library = machine_nvml(m, 0, 2);
    struct sampler *s = sampler_new(&options);
    assert_int_equal(sampler_take(s, &m->err), 0);
    assert_int_equal(sampler_take(s, &m->err), 0);
    sampler_free(s);
    assert_log(m, "nvidia_monitor.log",
               "(T\n31C 57W 15MiB 40536MiB 0%\n30C - 74MiB 40536MiB 3%\n\n){2}");
    assert_log(m, "nvidia_clock_monitor.log",
               "(T\n1410MHz 1215MHz power\\+thermal\n1410MHz - none\n\n){2}");
}

static void vendor_tools_are_sampled(void **state)
{
    struct machine *m = *state;
    struct monitor_options options = options_of(m);
    char *path = arena_strdup(&m->arena, getenv("PATH"));
    machine_tool(m, "mx-smi", "echo '| 914/65536 MiB |'; printf more");
    setenv("PATH", machine_path(m, "bin:/usr/bin:/bin"), 1);
    struct sampler *s = sampler_new(&options);
    assert_int_equal(sampler_take(s, &m->err), 0);
    machine_tool(m, "mx-smi", "exit 7");
    assert_int_equal(sampler_take(s, &m->err), 0);
    sampler_free(s);
    setenv("PATH", path, 1);
    assert_log(m, "mx-smi_monitor.log",
               "T\n\\| 914/65536 MiB \\|\nmore\n\nT\nmx-smi: failed with status 7\n\n");
}

static int lines_of(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* Waits for so many lines, 200 s at most; how many there are then. */
static int wait_for_lines(struct machine *m, const char *name, int wanted)
{
    int n = 0;
    for (int i = 0; i < 20000 && n < wanted; i++) {
        if (access(machine_path(m, path_join(&m->arena, "logs", name)), F_OK) == 0)
            n = lines_of(log_text(m, name));
        wait_ms(10);
    }
    return n;
}

static void the_helper_samples_until_the_end(void **state)
{
    struct machine *m = *state;
    struct monitor monitor;
    struct monitor_options options = options_of(m);
    machine_file(m, "proc/meminfo", "MemTotal: 1000 kB\nMemAvailable:  250 kB\n");
    double began = now_s();
    assert_int_equal(monitor_open(&monitor, &options, &m->err), 0);
    int n = wait_for_lines(m, "mem_monitor.log", 2);
    assert_true(n >= 2);
    kill(monitor.pid, SIGINT); /* as a terminal would send it to everybody */
    assert_true(wait_for_lines(m, "mem_monitor.log", n + 2) >= n + 2);
    if (monitor_close(&monitor, &m->err) < 0)
        fail_msg("%s", m->err.text);
    /* One at once, one for each 20 ms, and a last one. */
    assert_true(lines_of(log_text(m, "mem_monitor.log")) <= (now_s() - began) / 0.02 + 2);

    options.interval_ms = 3600000; /* a run shorter than the interval has its last sample */
    unlink(machine_path(m, "logs/mem_monitor.log"));
    assert_int_equal(monitor_open(&monitor, &options, &m->err), 0);
    assert_int_equal(monitor_close(&monitor, &m->err), 0);
    assert_int_equal(lines_of(log_text(m, "mem_monitor.log")), 1);
}

static void a_helper_that_fails_is_reported(void **state)
{
    struct machine *m = *state;
    struct monitor monitor;
    struct monitor_options options = options_of(m);
    machine_file(m, "proc/meminfo", "MemTotal: 1000 kB\nMemAvailable:  250 kB\n");
    assert_int_equal(symlink("/dev/full", machine_path(m, "logs/mem_monitor.log")), 0);
    assert_int_equal(monitor_open(&monitor, &options, &m->err), 0);
    wait_ms(100);
    assert_int_equal(monitor_close(&monitor, &m->err), -1);
    assert_non_null(strstr(m->err.text, "mem_monitor.log"));
    assert_non_null(strstr(m->err.text, "No space left"));

    assert_int_equal(monitor_open(&monitor, &options, &m->err), 0);
    kill(monitor.pid, SIGKILL);
    assert_int_equal(monitor_close(&monitor, &m->err), -1);
    assert_non_null(strstr(m->err.text, "died"));
}

/* When the trainer is killed, its helper ends by itself. */
static void the_helper_dies_with_its_trainer(void **state)
{
    struct machine *m = *state;
    struct monitor_options options = options_of(m);
    int ends[2];
    pid_t helper = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t trainer = fork();
    if (trainer == 0) {
        struct monitor monitor;
        if (monitor_open(&monitor, &options, &m->err) == 0 &&
            write(ends[1], &monitor.pid, sizeof monitor.pid) > 0)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ends[0], &helper, sizeof helper), sizeof helper);
    kill(trainer, SIGKILL);
    waitpid(trainer, NULL, 0);
    char stat[64], text[512] = "";
    snprintf(stat, sizeof stat, "/proc/%d/stat", (int)helper);
    for (int i = 0; i < 20000 && access(stat, F_OK) == 0; i++) {
        FILE *f = fopen(stat, "r");
        if (f && fgets(text, sizeof text, f) && strstr(text, ") Z"))
            i = 20000; /* ended, and nobody has asked for its status */
        if (f)
            fclose(f);
        wait_ms(10);
    }
    assert_true(access(stat, F_OK) != 0 || strstr(text, ") Z"));
    close(ends[0]);
    close(ends[1]);
}

static struct json *run_command(struct machine *m, const char *script, struct session *s,
                                struct command_result *result)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    struct session_options options = {
        .run = {.parent = machine_path(m, "result"),
                .case_id = "tiny",
                .case_bytes = {"{}\n", 3},
                .command = argv,
                .host = "h"},
        .environment = {.library = "libnone.so.1"},
        .monitor_interval_ms = 50,
    };
    if (session_begin(s, &options, &m->arena, &m->err) < 0 ||
        session_command(s, false, result, &m->err) < 0)
        fail_msg("%s", m->err.text);
    struct diags diags;
    struct json *run;
    diags_init(&diags, &m->arena);
    assert_int_equal(
        json_load(path_join(&m->arena, s->dir.root, "run.json"), &m->arena, &run, &diags), 0);
    return run;
}

static void a_command_is_a_whole_run(void **state)
{
    static const struct {
        const char *script, *state, *reason;
        int exit_status;
    } rows[] = {
        {"echo hello; n=0; until [ -s $RESULT/run*/*/*/*/cpu_monitor.log ] || [ $n -gt 4000 ]; do\n"
         "n=$((n + 1)); sleep 0.05; done",
         "complete", NULL, 0},
        {"echo hello; exit 3", "failed", "the command exited with status 3", 3},
        {"echo hello; kill -9 $$", "failed", "ended by signal 9", 137},
        {"echo hello; kill -TERM $PPID; sleep 200; exit 0", "failed", "stopped by signal 15", 143},
        {"exec none-such", "failed", "the command exited with status 127", 127},
    };
    struct machine *m = *state;
    setenv("RESULT", machine_path(m, "result"), 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct session s;
        struct command_result result;
        struct json *run = run_command(m, rows[i].script, &s, &result);
        assert_string_equal(json_get_text(run, "state", ""), rows[i].state);
        assert_int_equal(json_get(run, "exit_status")->number, rows[i].exit_status);
        const char *reason = json_get_text(run, "reason", NULL);
        assert_true(!reason == !rows[i].reason);
        if (reason)
            assert_string_equal(reason, rows[i].reason);
        assert_null(s.monitor_fault);
        static const char *const files[] = {"rank0.out.log", "cpu_monitor.log", "mem_monitor.log",
                                            "sys_info.log", "fingerprint.json"};
        for (size_t k = 0; i == 0 && k < sizeof files / sizeof *files; k++)
            assert_true(strlen(text_of(m, path_join(&m->arena, s.dir.node, files[k]))) > 0);
        if (i < 4)
            assert_string_equal(text_of(m, s.dir.log), "hello\n");
    }
}

static void tell_pipe(void *context)
{
    if (write(*(int *)context, "orphan", 6) < 0)
        _exit(9);
}

enum end { DIES, STOPS_AND_DIES, ENDS };

/* A trainer that dies without a word, or before it has written how the run ended, or ends well. */
static void trainer(const struct monitor_options *options, enum end end)
{
    struct monitor monitor;
    struct err err = ERR_INIT;
    if (monitor_open(&monitor, options, &err) < 0 ||
        (end != DIES && monitor_stop(&monitor, &err) < 0) ||
        (end == ENDS && monitor_close(&monitor, &err) < 0))
        _exit(1);
    _exit(0);
}

static void who_outlives_its_trainer_is_told(void **state)
{
    struct machine *m = *state;
    for (enum end end = DIES; end <= ENDS; end++) {
        struct monitor_options options = options_of(m);
        int pipe_ends[2], status;
        char said[16] = "";
        assert_int_equal(pipe(pipe_ends), 0);
        options.orphaned = tell_pipe;
        options.context = &pipe_ends[1];
        pid_t pid = fork();
        if (pid == 0)
            trainer(&options, end);
        close(pipe_ends[1]);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
        ssize_t n = read(pipe_ends[0], said, sizeof said); /* returns when the helper has ended */
        assert_int_equal(n, end == ENDS ? 0 : 6);
        close(pipe_ends[0]);
    }
}

/* A helper that could not write its samples stays until it knows how the run ended. */
static void a_helper_that_failed_outlives_its_trainer(void **state)
{
    struct machine *m = *state;
    struct monitor_options options = options_of(m);
    int pipe_ends[2];
    char said[16] = "";
    machine_file(m, "proc/meminfo", "MemTotal: 1000 kB\nMemAvailable:  250 kB\n");
    assert_int_equal(symlink("/dev/full", machine_path(m, "logs/mem_monitor.log")), 0);
    assert_int_equal(pipe(pipe_ends), 0);
    options.orphaned = tell_pipe;
    options.context = &pipe_ends[1];
    pid_t pid = fork();
    if (pid == 0) {
        struct monitor monitor;
        if (monitor_open(&monitor, &options, &m->err) == 0)
            wait_ms(200); /* ten samples */
        _exit(0);
    }
    close(pipe_ends[1]);
    waitpid(pid, NULL, 0);
    assert_int_equal(read(pipe_ends[0], said, sizeof said), 6);
    close(pipe_ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_MACHINE(who_outlives_its_trainer_is_told),
        ON_MACHINE(a_helper_that_failed_outlives_its_trainer),
        ON_MACHINE(counters_become_samples),
        ON_MACHINE(nothing_to_read_is_no_file),
        ON_MACHINE(cards_are_sampled),
        ON_MACHINE(vendor_tools_are_sampled),
        ON_MACHINE(the_helper_samples_until_the_end),
        ON_MACHINE(a_helper_that_fails_is_reported),
        ON_MACHINE(the_helper_dies_with_its_trainer),
        ON_MACHINE(a_command_is_a_whole_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
