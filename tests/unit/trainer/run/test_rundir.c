/* rundir and perflog: the layout, the states of run.json, and that logged numbers read back. */
#include "base/files/dir.h"
#include "base/files/file.h"
#include "tests/unit/unit.h"

#include "base/json/json.h"
#include "trainer/run/perflog.h"
#include "trainer/run/rundir.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct place {
    struct arena arena;
    struct err err;
    char folder[64];
};

static int set_up(void **state)
{
    static struct place place;
    place = (struct place){.arena = ARENA_INIT};
    strcpy(place.folder, "/tmp/fpreport-rundir-XXXXXX");
    *state = &place;
    return mkdtemp(place.folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    file_remove_tree(p->folder, &p->err);
    arena_release(&p->arena);
    return 0;
}

static const char case_text[] = "{\"id\": \"tiny\"}\n";

static struct rundir_options options_in(struct place *p)
{
    return (struct rundir_options){
        .parent = path_join(&p->arena, p->folder, "result"),
        .case_id = "tiny",
        .case_key = "tiny:fpreport:CPU:1:1:1",
        .case_bytes = {case_text, strlen(case_text)},
        .host = "my host/.x",
    };
}

static struct json *run_json(struct place *p, const struct rundir *r)
{
    struct diags diags;
    struct json *root = NULL;
    diags_init(&diags, &p->arena);
    if (json_load(path_join(&p->arena, r->root, "run.json"), &p->arena, &root, &diags) < 0)
        fail_msg("%s", diags.items[0].message);
    return root;
}

static void a_run_has_the_layout(void **state)
{
    struct place *p = *state;
    struct rundir r;
    struct bytes got;
    struct rundir_options options = options_in(p);
    const char *argv[] = {"torchrun", "--x", "a \"b\"\n", NULL};
    options.command = argv;
    if (rundir_create(&r, &options, &p->arena, &p->err) < 0)
        fail_msg("%s", p->err.text);
    assert_non_null(strstr(r.node, "/tiny:fpreport:CPU:1:1:1/round1/my-host-.x_noderank0"));
    assert_true(file_is_dir(r.node));
    const char *copy = path_join(&p->arena, r.root, "case.json");
    assert_int_equal(file_read(copy, 1000, &p->arena, &got, &p->err), 0);
    assert_string_equal(got.data, case_text);

    struct json *run = run_json(p, &r);
    assert_string_equal(json_get_text(run, "schema", ""), "fpreport.run/1");
    assert_string_equal(json_get_text(run, "state", ""), "running");
    assert_int_equal(json_get(run, "finished")->kind, JSON_NULL);
    assert_int_equal(json_get(run, "exit_status")->kind, JSON_NULL);
    assert_string_equal(json_get(run, "command")->child->next->next->text, "a \"b\"\n");
    assert_int_equal(json_get(run, "challenge")->kind, JSON_NULL);

    struct run_end end = {RUN_FAILED, 143, 15, "ended by signal 15"};
    assert_int_equal(rundir_finish(&r, &end, &p->err), 0);
    run = run_json(p, &r);
    assert_string_equal(json_get_text(run, "state", ""), "failed");
    assert_int_equal(json_get(run, "signal")->number, 15);
    assert_int_equal(json_get(run, "exit_status")->number, 143);
    assert_string_equal(json_get_text(run, "started", ""), r.started);
    assert_int_equal(strlen(json_get_text(run, "finished", "")), strlen("2026-01-01T00:00:00Z"));
}

static void runs_in_one_second_do_not_collide(void **state)
{
    struct place *p = *state;
    struct rundir_options options = options_in(p);
    enum { RUNS = 8 };
    for (int i = 0; i < RUNS; i++) {
        pid_t child = fork();
        if (child == 0) {
            struct rundir r;
            _exit(rundir_create(&r, &options, &p->arena, &p->err) == 0 ? 0 : 1);
        }
    }
    for (int i = 0; i < RUNS; i++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    struct dir_entry *entries;
    size_t n;
    assert_int_equal(dir_list(options.parent, &p->arena, &entries, &n, &p->err), 0);
    assert_int_equal(n, RUNS);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(strlen(entries[i].name), strlen("run20260101000000"));
}

static void keys_and_folders_that_cannot_be(void **state)
{
    static const char *const keys[] = {"../x", "a/b", "", ".x", "a b"};
    struct place *p = *state;
    struct rundir r;
    struct rundir_options options = options_in(p);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        options.case_key = keys[i];
        assert_int_equal(rundir_create(&r, &options, &p->arena, &p->err), -1);
        assert_int_equal(p->err.kind, ERR_USAGE);
    }
    options = options_in(p);
    options.parent = "/dev/null/x";
    assert_int_equal(rundir_create(&r, &options, &p->arena, &p->err), -1);
    assert_int_equal(p->err.kind, ERR_IO);
}

static void sys_info_has_the_labelled_blocks(void **state)
{
    struct place *p = *state;
    struct rundir r;
    struct bytes got;
    struct rundir_options options = options_in(p);
    struct fact items[] = {{"os", "Debian 12", NULL}, {"accelerator_model", NULL, "none here"}};
    struct facts facts = {.items = items, .n = 2};
    assert_int_equal(rundir_create(&r, &options, &p->arena, &p->err), 0);
    assert_int_equal(rundir_write_facts(&r, &facts, &p->err), 0);
    const char *path = path_join(&p->arena, r.node, "sys_info.log");
    assert_int_equal(file_read(path, 10000, &p->arena, &got, &p->err), 0);
    assert_non_null(strstr(got.data, "OS version:\nDebian 12\n\nOS Kernel version:\n"));
    assert_non_null(strstr(got.data, "Accelerator Model:\nunknown (none here)\n\n"));
    assert_true(file_exists(path_join(&p->arena, r.node, "fingerprint.json")));
}

/* Python reads the log back: every float must be the one that was logged. */
static void perflog_reads_back_exactly(void **state)
{
    struct place *p = *state;
    struct perflog log;
    const char *path = path_join(&p->arena, p->folder, "rank0.out.log");
    assert_int_equal(perflog_open(&log, path, 0, &p->err), 0);
    assert_int_equal(perflog_event(&log, PERFLOG_HERE, "INIT_START", &p->err), 0);
    FILE *want = fopen(path_join(&p->arena, p->folder, "want"), "w");
    unsigned bits = 1;
    for (int i = 1; i <= 500; i++) {
        bits = bits * 1664525u + 1013904223u;
        float loss = (float)bits / 3e8f, norm = ldexpf((float)(bits | 1), (int)(bits >> 26) - 40);
        double rate = 1e-3 / i, speed = (double)bits / 7;
        struct perflog_step step = {.step = i,
                                    .loss = loss,
                                    .grad_norm = norm,
                                    .learning_rate = rate,
                                    .samples = i * 8LL,
                                    .tokens_per_second = speed,
                                    .seconds = 1.0 / speed};
        assert_int_equal(perflog_step(&log, PERFLOG_HERE, &step, &p->err), 0);
        fprintf(want, "%a %a %a %a\n", (double)loss, (double)norm, rate, speed);
    }
    fclose(want);
    struct perflog_finish finish = {.final_loss = NAN, .steps = 500, .seconds = 1.5};
    assert_int_equal(perflog_finished(&log, PERFLOG_HERE, &finish, &p->err), 0);
    assert_int_equal(perflog_summary(&log, 1000.5, 250.125, NAN, &p->err), 0);
    assert_int_equal(perflog_summary(&log, 1000.5, 250.125, 0.5, &p->err), 0);
    assert_int_equal(perflog_close(&log, &p->err), 0);
    const char *check =
        "import json,math,struct,sys\n"
        "lines=open('rank0.out.log').read().split('\\n')\n"
        "logged=[json.loads(l[10:]) for l in lines if l.startswith('[PerfLog] ')]\n"
        "f32=lambda x: struct.unpack('f',struct.pack('f',x))[0]\n"
        "steps=[e for e in logged if e['event']=='STEP_END']\n"
        "want=[[float.fromhex(x) for x in l.split()] for l in open('want')]\n"
        "assert len(steps)==500 and list(steps[0])==['event','value','metadata']\n"
        "for e,w in zip(steps,want):\n"
        "  v=e['value']\n"
        "  assert [f32(v['loss']),f32(v['grad_norm']),v['learning_rate'],v['tokens/s']]==w,(v,w)\n"
        "assert steps[9]['value']['global_steps']==10\n"
        "m=steps[0]['metadata']; assert m['rank']==0 and m['lineno']>0 and m['time_ms']>1e12\n"
        "assert logged[0]['event']=='INIT_START' and 'value' not in logged[0]\n"
        "assert math.isnan(logged[-1]['value']['final_loss'])\n"
        "assert lines[-6:]==['System tokens per second:  1000.5','Tokens/p/s:  250.125',\n"
        "  'System tokens per second:  1000.5','Tokens/p/s:  250.125','MFU:  0.5','']\n";
    assert_int_equal(
        file_write(path_join(&p->arena, p->folder, "check.py"), check, strlen(check), &p->err), 0);
    assert_int_equal(system(arena_printf(&p->arena, "cd %s && python3 check.py", p->folder)), 0);
}

static void perflog_notices_a_full_disk(void **state)
{
    struct place *p = *state;
    struct perflog log;
    assert_int_equal(perflog_open(&log, "/dev/full", 0, &p->err), 0);
    assert_int_equal(perflog_event(&log, PERFLOG_HERE, "INIT_START", &p->err), -1);
    assert_non_null(strstr(p->err.text, "No space left"));
    perflog_close(&log, &p->err);
    assert_int_equal(perflog_open(&log, "/nonexistent/x", 0, &p->err), -1);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_PLACE(a_run_has_the_layout),
        IN_PLACE(runs_in_one_second_do_not_collide),
        IN_PLACE(keys_and_folders_that_cannot_be),
        IN_PLACE(sys_info_has_the_labelled_blocks),
        IN_PLACE(perflog_reads_back_exactly),
        IN_PLACE(perflog_notices_a_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
