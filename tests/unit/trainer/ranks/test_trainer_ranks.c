/* Who this process is, from what starters set in the environment. */
#include "tests/unit/unit.h"

#include "trainer/ranks/ranks.h"
#include "trainer/ranks/socket.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const variables[] = {"RANK",
                                        "WORLD_SIZE",
                                        "LOCAL_RANK",
                                        "LOCAL_WORLD_SIZE",
                                        "MASTER_ADDR",
                                        "MASTER_PORT",
                                        "TORCHELASTIC_USE_AGENT_STORE",
                                        "OMPI_COMM_WORLD_RANK",
                                        "OMPI_COMM_WORLD_SIZE",
                                        "OMPI_COMM_WORLD_LOCAL_RANK",
                                        "OMPI_COMM_WORLD_LOCAL_SIZE",
                                        "PMI_RANK",
                                        "PMI_SIZE",
                                        "MPI_LOCALRANKID",
                                        "MPI_LOCALNRANKS",
                                        "SLURM_PROCID",
                                        "SLURM_NTASKS",
                                        "SLURM_LOCALID",
                                        "SLURM_NODEID",
                                        "SLURM_JOB_ID",
                                        "SLURM_STEP_ID",
                                        "SLURM_STEP_NUM_TASKS",
                                        "SLURM_STEP_TASKS_PER_NODE",
                                        "SLURM_STEP_NODELIST",
                                        "SLURM_JOB_NODELIST",
                                        "SLURM_LAUNCH_NODE_IPADDR",
                                        RANKS_LISTENER,
                                        RANKS_PATIENCE};

static void clear_environment(void)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
}

static void nobody_started_us(void **state)
{
    (void)state;
    struct ranks r;
    struct err err = ERR_INIT;
    clear_environment();
    assert_int_equal(ranks_find(&r, &err), 0);
    assert_null(r.starter);
    assert_int_equal(r.rank, 0);
    assert_int_equal(r.world, 1);
}

static void starters_are_known_by_their_variables(void **state)
{
    (void)state;
    static const struct {
        const char *starter, *rank, *world, *local;
    } all[] = {
        {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK"},
        {"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
        {"mpiexec", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
        {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"},
    };
    struct ranks r;
    struct err err = ERR_INIT;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        clear_environment();
        setenv(all[i].rank, "5", 1);
        setenv(all[i].world, "16", 1);
        setenv(all[i].local, "1", 1);
        setenv("MASTER_ADDR", "10.0.0.7", 1);
        setenv("MASTER_PORT", "1234", 1);
        assert_int_equal(ranks_find(&r, &err), 0);
        assert_string_equal(r.starter, all[i].starter);
        assert_int_equal(r.rank, 5);
        assert_int_equal(r.world, 16);
        assert_int_equal(r.local_rank, 1);
        assert_string_equal(r.address, "10.0.0.7");
        assert_int_equal(r.port, 1234);
    }
}

static void torchrun_itself_listens_at_its_port(void **state)
{
    (void)state;
    static const struct {
        const char *told, *port;
        int expected;
    } all[] = {{"True", "29500", 29501}, {"False", "29500", 29500}, {"True", "65535", 65534}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct ranks r;
        struct err err = ERR_INIT;
        clear_environment();
        setenv("RANK", "1", 1);
        setenv("WORLD_SIZE", "2", 1);
        setenv("LOCAL_RANK", "1", 1);
        setenv("MASTER_ADDR", "vm", 1);
        setenv("MASTER_PORT", all[i].port, 1);
        setenv("TORCHELASTIC_USE_AGENT_STORE", all[i].told, 1);
        assert_int_equal(ranks_find(&r, &err), 0);
        assert_int_equal(r.port, all[i].expected);
    }
    clear_environment();
}

static void numbers_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *message;
    } bad[] = {
        {"RANK", "4", "RANK: found '4', expected 0 to 3"},
        {"RANK", "-1", "RANK: found '-1', expected 0 to 3"},
        {"RANK", "1x", "RANK: found '1x', expected 0 to 3"},
        {"WORLD_SIZE", "0", "WORLD_SIZE: found '0', expected 1 to 4096"},
        {"LOCAL_RANK", NULL, "LOCAL_RANK: missing, expected it beside the others of torchrun"},
        {RANKS_PATIENCE, "-1", RANKS_PATIENCE ": found '-1', expected 0.01 to 100"},
        {RANKS_PATIENCE, "much", RANKS_PATIENCE ": found 'much', expected 0.01 to 100"},
        {"MASTER_PORT", "99999", "MASTER_PORT: found '99999', expected 1 to 65535"},
        {"LOCAL_WORLD_SIZE", "2",
         "MASTER_ADDR: missing, expected the address of rank 0's machine for ranks on several"},
    };
    struct ranks r;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = ERR_INIT;
        clear_environment();
        setenv("RANK", "1", 1);
        setenv("WORLD_SIZE", "4", 1);
        setenv("LOCAL_RANK", "1", 1);
        setenv("LOCAL_WORLD_SIZE", "4", 1);
        if (bad[i].value)
            setenv(bad[i].name, bad[i].value, 1);
        else
            unsetenv(bad[i].name);
        assert_int_equal(ranks_find(&r, &err), -1);
        assert_string_equal(err.text, bad[i].message);
        assert_int_equal(err.kind, ERR_USAGE);
    }
    clear_environment();
}

/* What srun sets, as it was seen in a step of two tasks on one machine, and as its manual states it
 * for several. */
static void set_step(const char *rank, const char *world, const char *local, const char *node,
                     const char *tasks, const char *hosts)
{
    clear_environment();
    setenv("SLURM_PROCID", rank, 1);
    setenv("SLURM_STEP_NUM_TASKS", world, 1);
    setenv("SLURM_LOCALID", local, 1);
    setenv("SLURM_NODEID", node, 1);
    setenv("SLURM_STEP_TASKS_PER_NODE", tasks, 1);
    setenv("SLURM_STEP_NODELIST", hosts, 1);
    setenv("SLURM_JOB_NODELIST", "other[1-9]", 1);
    setenv("SLURM_LAUNCH_NODE_IPADDR", "10.9.9.9", 1);
    setenv("SLURM_JOB_ID", "1234567", 1);
    setenv("SLURM_STEP_ID", "2", 1);
}

static void srun_says_where_rank_0_is(void **state)
{
    (void)state;
    static const struct {
        const char *rank, *world, *local, *node, *tasks, *hosts;
        int local_world;
        const char *address;
    } steps[] = {
        {"1", "2", "1", "0", "2", "vm", 2, "127.0.0.1"},
        {"9", "16", "1", "1", "8(x2)", "gpu[07-08]", 8, "gpu07"},
        {"16", "17", "0", "2", "8(x2),1", "gpu[07,09-10]", 1, "gpu07"},
        {"0", "3", "0", "0", "2,1", "n1,n2", 2, "n1"},
        {"2", "4", "0", "1", "2(x2)", "rack[2-3]node[014-020]", 2, "rack2node014"},
        {"0", "4", "0", "0", "rubbish", "a,b", 0, "a"},
        {"2", "4", "0", "1", "2(x2)", "", 2, "other1"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct ranks r;
        struct err err = ERR_INIT;
        set_step(steps[i].rank, steps[i].world, steps[i].local, steps[i].node, steps[i].tasks,
                 steps[i].hosts);
        assert_int_equal(ranks_find(&r, &err), 0);
        assert_string_equal(r.starter, "srun");
        assert_int_equal(r.world, atoi(steps[i].world));
        assert_int_equal(r.local_world, steps[i].local_world);
        assert_string_equal(r.address, steps[i].address);
        assert_string_equal(r.job, "1234567.2");
        assert_int_equal(r.port, RANKS_PORT + 1234569 % RANKS_PORTS);
    }
    setenv("MASTER_ADDR", "10.0.0.7", 1);
    struct ranks r;
    struct err err = ERR_INIT;
    assert_int_equal(ranks_find(&r, &err), 0);
    assert_string_equal(r.address, "10.0.0.7");
}

static void a_batch_script_is_no_rank(void **state)
{
    (void)state;
    struct ranks r;
    struct err err = ERR_INIT;
    clear_environment();
    setenv("SLURM_PROCID", "0", 1);
    setenv("SLURM_NTASKS", "8", 1);
    setenv("SLURM_LOCALID", "0", 1);
    assert_int_equal(ranks_find(&r, &err), 0);
    assert_null(r.starter);
    assert_int_equal(r.world, 1);
    clear_environment();
}

/* A socket that listens becomes rank 0's, and nothing else does. */
static void who_starts_ranks_may_listen_for_them(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    int port = 0, listener = socket_listen("127.0.0.1", &port, &err), other = dup(STDERR_FILENO);
    const struct {
        const char *rank;
        int fd, expected;
    } all[] = {{"0", listener, listener},
               {"1", listener, 0},
               {"0", other, 0},
               {"0", -1, 0},
               {"0", 999, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct ranks r;
        char text[16];
        clear_environment();
        setenv("RANK", all[i].rank, 1);
        setenv("WORLD_SIZE", "2", 1);
        setenv("LOCAL_RANK", all[i].rank, 1);
        setenv("LOCAL_WORLD_SIZE", "2", 1);
        snprintf(text, sizeof text, "%d", all[i].fd);
        setenv(RANKS_LISTENER, text, 1);
        assert_int_equal(ranks_find(&r, &err), 0);
        assert_int_equal(r.listener, all[i].expected);
    }
    close(listener);
    close(other);
    clear_environment();
}

static void an_mpi_needs_no_address(void **state)
{
    (void)state;
    struct ranks r;
    struct err err = ERR_INIT;
    clear_environment();
    setenv("OMPI_COMM_WORLD_RANK", "3", 1);
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_RANK", "1", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "2", 1);
    assert_int_equal(ranks_find(&r, &err), 0);
    assert_true(r.by_mpi);
    assert_string_equal(r.address, "");
    assert_int_equal(r.port, 0);
    clear_environment();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_started_us),
        cmocka_unit_test(starters_are_known_by_their_variables),
        cmocka_unit_test(torchrun_itself_listens_at_its_port),
        cmocka_unit_test(numbers_that_cannot_be_are_refused),
        cmocka_unit_test(srun_says_where_rank_0_is),
        cmocka_unit_test(a_batch_script_is_no_rank),
        cmocka_unit_test(who_starts_ranks_may_listen_for_them),
        cmocka_unit_test(an_mpi_needs_no_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
