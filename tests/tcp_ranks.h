/*
 * tcp_ranks: ranks on this machine for a unit test: processes that are joined over TCP
 * (comm_tcp.h), each with a processor as its device.
 *
 *     ranks_run(2, work, &context, results, sizeof *results);
 *
 * calls work() on each rank, which fills its own `result`; the parent has all of them afterwards,
 * by rank. A rank that dies, or does not return within RANKS_S, fails the test.
 */
#pragma once

#include "tests/unit/unit.h"

#include "trainer/ranks/comm_tcp.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define RANKS_S 60

typedef void ranks_work(struct comm *comm, const void *context, void *result);

static inline void ranks_be(struct comm_tcp_hub *hub, int rank, int world, ranks_work *work,
                            const void *context, void *result)
{
    const struct comm_tcp_place place = {rank, world, "127.0.0.1"};
    struct err err = ERR_INIT;
    struct device *device;
    struct comm *comm;
    alarm(RANKS_S);
    if (rank > 0)
        comm_tcp_forget(hub);
    if (device_cpu_open(&device, &err) < 0 || comm_tcp_open(&comm, device, &place, hub, &err) < 0)
        _exit(2);
    work(comm, context, result);
    comm_close(comm);
    device_close(device);
    _exit(0);
}

static inline void ranks_run(int world, ranks_work *work, const void *context, void *results,
                             size_t size)
{
    struct comm_tcp_hub hub;
    struct err err = ERR_INIT;
    size_t bytes = (size_t)world * size;
    char *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t pids[16];
    assert_true(shared != MAP_FAILED && world <= 16);
    assert_int_equal(comm_tcp_listen(&hub, "127.0.0.1", &err), 0);
    for (int r = 0; r < world; r++)
        if ((pids[r] = fork()) == 0)
            ranks_be(&hub, r, world, work, context, shared + (size_t)r * size);
    comm_tcp_forget(&hub);
    for (int r = 0; r < world; r++) {
        int status;
        assert_int_equal(waitpid(pids[r], &status, 0), pids[r]);
        assert_int_equal(status, 0);
    }
    memcpy(results, shared, bytes);
    munmap(shared, bytes);
}
