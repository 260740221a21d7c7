#include "tests/gpu/emulated/block.h"

#include <deque>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <vector>

#define THREADS_MAX 1024
#define LANES 32
#define STACK ((size_t)1 << 18)

block_index threadIdx, blockIdx, gridDim, blockDim;

struct copy {
    void *to;
    const void *from;
    size_t bytes;
    bool there;
};

struct fiber {
    ucontext_t context;
    std::vector<char> stack;
    bool done;
    std::vector<copy> open;
    std::deque<std::vector<copy>> groups;
};

/* What the threads of a warp bring to an operation that they do together. */
struct meeting {
    int arrived;
    unsigned long held; /* how many there have been */
    float x[LANES];
    const void *rows[LANES];
    uint32_t *taken[LANES];
    float *c[LANES];
    const float *a[LANES], *b[LANES];
};

static fiber fibers[THREADS_MAX];
static meeting meetings[THREADS_MAX / LANES];
static ucontext_t scheduler;
static int threads, at_barrier;
static unsigned long barriers;
static unsigned char *shared;
static size_t shared_bytes;
static const std::function<void()> *kernel;

static void stop(const char *what)
{
    printf("Bail out! block %u,%u thread %u: %s\n", blockIdx.x, blockIdx.y, threadIdx.x, what);
    exit(1);
}

static void yield()
{
    unsigned me = threadIdx.x;
    swapcontext(&fibers[me].context, &scheduler);
    threadIdx.x = me;
}

static void thread_main()
{
    fiber &f = fibers[threadIdx.x];
    (*kernel)();
    for (const std::vector<copy> &group : f.groups)
        if (!group.empty())
            stop("a copy was never waited for");
    if (!f.open.empty())
        stop("a copy belongs to no group");
    f.done = true;
    swapcontext(&f.context, &scheduler);
}

static void threads_start()
{
    for (int i = 0; i < threads; i++) {
        fiber &f = fibers[i];
        f.stack.resize(STACK);
        f.done = false;
        f.groups.clear();
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = f.stack.data();
        f.context.uc_stack.ss_size = STACK;
        makecontext(&f.context, thread_main, 0);
    }
}

static void one_block()
{
    shared = (unsigned char *)malloc(shared_bytes + 128);
    unsigned char *whole = shared;
    shared += (128 - (uintptr_t)shared % 128) % 128;
    memset(whole, 0xFF, shared_bytes + 128);
    threads_start();
    for (int left = threads; left > 0;) {
        left = 0;
        for (int i = 0; i < threads; i++) {
            if (fibers[i].done)
                continue;
            left++;
            threadIdx.x = (unsigned)i;
            swapcontext(&scheduler, &fibers[i].context);
        }
    }
    free(whole);
}

void block_run(dim3 blocks, int n, size_t bytes, const std::function<void()> &body)
{
    threads = n;
    shared_bytes = bytes;
    kernel = &body;
    gridDim = {blocks.x, blocks.y};
    blockDim = {(unsigned)n, 1};
    for (blockIdx.y = 0; blockIdx.y < blocks.y; blockIdx.y++)
        for (blockIdx.x = 0; blockIdx.x < blocks.x; blockIdx.x++)
            one_block();
}

unsigned char *block_shared()
{
    return shared;
}

void __syncthreads()
{
    unsigned long mine = barriers;
    if (++at_barrier == threads) {
        at_barrier = 0;
        barriers++;
    }
    while (barriers == mine)
        yield();
}

/* The last of a warp to come does the work for all. */
template <typename Bring, typename Work> static void meet(Bring bring, Work work)
{
    meeting &m = meetings[threadIdx.x / LANES];
    unsigned long mine = m.held;
    bring(m, threadIdx.x % LANES);
    if (++m.arrived == LANES) {
        work(m);
        m.arrived = 0;
        m.held++;
    }
    while (m.held == mine)
        yield();
}

float warp_exchange(float x, int apart)
{
    static float got[THREADS_MAX];
    const unsigned me = threadIdx.x;
    meet([&](meeting &m, int lane) { m.x[lane] = x; },
         [&](meeting &m) {
             for (int lane = 0; lane < LANES; lane++)
                 got[me / LANES * LANES + lane] = m.x[lane ^ apart];
         });
    return got[me];
}

static void check_shared(const void *at, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)at;
    if ((uintptr_t)p % bytes != 0 || p < shared || p + bytes > shared + shared_bytes)
        stop("an address that is not aligned or not in shared memory");
}

void warp_take(uint32_t out[4], const void *row, bool across)
{
    check_shared(row, 16);
    meet(
        [&](meeting &m, int lane) {
            m.rows[lane] = row;
            m.taken[lane] = out;
        },
        [&](meeting &m) {
            for (int matrix = 0; matrix < 4; matrix++)
                for (int lane = 0; lane < LANES; lane++) {
                    uint16_t pair[2];
                    for (int i = 0; i < 2; i++) {
                        int y = lane / 4, x = lane % 4 * 2 + i;
                        if (across)
                            std::swap(y, x);
                        pair[i] = ((const uint16_t *)m.rows[matrix * 8 + y])[x];
                    }
                    m.taken[lane][matrix] = pair[0] | (uint32_t)pair[1] << 16;
                }
        });
}

uint32_t warp_turned(uint32_t pair)
{
    static uint32_t got[THREADS_MAX];
    const unsigned me = threadIdx.x;
    meet([&](meeting &m, int lane) { memcpy(&m.x[lane], &pair, sizeof pair); },
         [&](meeting &m) {
             uint16_t whole[8][8];
             memcpy(whole, m.x, sizeof whole);
             for (int lane = 0; lane < LANES; lane++) {
                 const int y = lane % 4 * 2, x = lane / 4;
                 got[me / LANES * LANES + lane] = whole[y][x] | (uint32_t)whole[y + 1][x] << 16;
             }
         });
    return got[me];
}

/* Where parts lie: "PTX ISA", matrix fragments of mma.m16n8k16. */
static void multiply(meeting &m)
{
    float a[16][16], b[16][8];
    for (int lane = 0; lane < LANES; lane++) {
        int row = lane / 4, column = lane % 4 * 2;
        for (int i = 0; i < 8; i++)
            a[row + i / 2 % 2 * 8][column + i % 2 + i / 4 * 8] = m.a[lane][i];
        for (int i = 0; i < 4; i++)
            b[column + i % 2 + i / 2 * 8][row] = m.b[lane][i];
    }
    for (int lane = 0; lane < LANES; lane++)
        for (int e = 0; e < 4; e++)
            for (int k = 0; k < 16; k++)
                m.c[lane][e] += a[lane / 4 + e / 2 * 8][k] * b[k][lane % 4 * 2 + e % 2];
}

void warp_multiply(float c[4], const float a[8], const float b[4])
{
    meet(
        [&](meeting &m, int lane) {
            m.a[lane] = a;
            m.b[lane] = b;
            m.c[lane] = c;
        },
        multiply);
}

void copies_begin(void *to, const void *from, size_t bytes, bool there)
{
    check_shared(to, bytes);
    if ((uintptr_t)from % bytes != 0)
        stop("a copy from an address that is not aligned");
    fibers[threadIdx.x].open.push_back({to, from, bytes, there});
}

void copies_end_group()
{
    fiber &f = fibers[threadIdx.x];
    f.groups.push_back(f.open);
    f.open.clear();
}

void copies_arrive(size_t left_over)
{
    fiber &f = fibers[threadIdx.x];
    for (; f.groups.size() > left_over; f.groups.pop_front())
        for (const copy &c : f.groups.front()) {
            if (c.there)
                memcpy(c.to, c.from, c.bytes);
            else
                memset(c.to, 0, c.bytes);
        }
}
