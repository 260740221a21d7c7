/* The meeting of ranks: real processes, real connections. */
#include "tests/unit/unit.h"

#include "base/calendar.h"
#include "trainer/ranks/ranks.h"
#include "trainer/ranks/rendezvous.h"
#include "trainer/ranks/socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORLD 4
#define PATIENCE 1.0  /* of rendezvous.h's limits */
#define IMPATIENT 0.1 /* where it is silence that is waited for */

/* A port that nobody listens on at this moment. */
static int free_port(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
    close(fd);
    return ntohs(a.sin_port);
}

/* What a rank does once all have met. */
enum fate {
    ENDS_WELL,
    FAILS,
    VANISHES,
    WAITS,
    STOPS,      /* as by SIGSTOP */
    DECLINES,   /* comes to say that it cannot */
    DIES_EARLY, /* when it has come, and others have not */
    DOUBLES,    /* says that it is rank 1 */
    MISCOUNTS,  /* says that there is one more */
    SHARES,     /* the device of every other that shares */
};

static int said[2]; /* a pipe to the test: what ranks heard, a line each */

static void say(int rank, const char *sentence)
{
    char line[700];
    int n = snprintf(line, sizeof line, "%d: %s\n", rank, sentence);
    if (write(said[1], line, (size_t)n) < 0)
        _exit(9);
}

static void lost(void *context, const char *sentence)
{
    say(*(const int *)context, sentence);
    _exit(3);
}

/* A whole hello and then nothing. */
static void die_early(const struct ranks *ranks)
{
    struct rank_hello hello = {.rank = ranks->rank, .world = ranks->world};
    struct err err = ERR_INIT;
    int fd = socket_connect(ranks->address, ranks->port, clock_seconds() + 10, &err);
    snprintf(hello.job, sizeof hello.job, "%s", ranks->job);
    rank_say_hello(fd, &hello);
    _exit(0);
}

static void live(int rank, int port, double patience, enum fate fate)
{
    struct ranks ranks = {.rank = rank,
                          .world = WORLD,
                          .address = "127.0.0.1",
                          .port = port,
                          .job = "a job",
                          .patience = patience};
    struct rendezvous *r;
    struct err err = ERR_INIT;
    char bytes[128] = {0};
    const struct rendezvous_wish wish = {.ranks = &ranks,
                                         .device = fate == SHARES ? "GPU-17" : "",
                                         .failed = fate == DECLINES ? "no GPU is here" : NULL,
                                         .bytes = bytes,
                                         .n = sizeof bytes,
                                         .lost = lost,
                                         .context = &rank};
    if (rank == 0)
        memset(bytes, 'x', sizeof bytes);
    ranks.rank = fate == DOUBLES ? 1 : rank;
    ranks.world += fate == MISCOUNTS;
    if (rank == 3) /* late: what ends the meeting may have come before */
        usleep(150 * 1000);
    if (fate == DIES_EARLY)
        die_early(&ranks);
    if (rendezvous_open(&r, &wish, &err) < 0) {
        say(rank, err.text);
        _exit(4);
    }
    if (bytes[0] != 'x' || bytes[127] != 'x')
        _exit(5);
    if (fate == VANISHES)
        _exit(0);
    if (fate == STOPS)
        raise(SIGSTOP);
    if (fate == WAITS || fate == STOPS)
        sleep(200); /* in a collective that will not end; `lost` comes on the other thread */
    rendezvous_close(r, fate == FAILS ? "the disk is full" : NULL);
    _exit(0);
}

/* Lets WORLD ranks meet; collects what they heard, and how each ended. */
static void meet_within(double patience, const enum fate fates[WORLD], int codes[WORLD],
                        char heard[4096])
{
    pid_t pids[WORLD];
    int port = free_port();
    assert_int_equal(pipe(said), 0);
    for (int i = 0; i < WORLD; i++)
        if ((pids[i] = fork()) == 0)
            live(i, port, patience, fates[i]);
    close(said[1]);
    for (int i = 0; i < WORLD; i++) {
        int status;
        if (fates[i] == STOPS)
            continue; /* until the others have noticed */
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        codes[i] = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    for (int i = 0; i < WORLD; i++) {
        int status;
        if (fates[i] != STOPS)
            continue;
        kill(pids[i], SIGCONT);
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        codes[i] = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    size_t n = 0;
    for (ssize_t got; n < 4095 && (got = read(said[0], heard + n, 4095 - n)) > 0;)
        n += (size_t)got;
    heard[n] = '\0';
    close(said[0]);
}

static void meet(const enum fate fates[WORLD], int codes[WORLD], char heard[4096])
{
    meet_within(PATIENCE, fates, codes, heard);
}

static void all_end_well(void **state)
{
    (void)state;
    const enum fate fates[WORLD] = {ENDS_WELL, ENDS_WELL, ENDS_WELL, ENDS_WELL};
    int codes[WORLD];
    char heard[4096];
    meet(fates, codes, heard);
    assert_string_equal(heard, "");
    for (int i = 0; i < WORLD; i++)
        assert_int_equal(codes[i], 0);
}

static void a_rank_that_vanishes_is_named_to_all(void **state)
{
    (void)state;
    const char *sentence = "rank 2 died: its connection closed before it had ended";
    const enum fate fates[WORLD] = {WAITS, WAITS, VANISHES, WAITS};
    int codes[WORLD];
    char heard[4096], line[100];
    time_t began = time(NULL);
    meet(fates, codes, heard);
    assert_true(time(NULL) - began < PATIENCE * RENDEZVOUS_SILENCE_S);
    for (int i = 0; i < WORLD; i++) {
        assert_int_equal(codes[i], i == 2 ? 0 : 3);
        snprintf(line, sizeof line, "%d: %s\n", i, sentence);
        assert_int_equal(strstr(heard, line) != NULL, i != 2);
    }
}

static void a_rank_that_fails_says_why(void **state)
{
    (void)state;
    const enum fate fates[WORLD] = {WAITS, FAILS, WAITS, WAITS};
    int codes[WORLD];
    char heard[4096];
    meet(fates, codes, heard);
    assert_non_null(strstr(heard, "0: rank 1 failed: the disk is full\n"));
    assert_non_null(strstr(heard, "2: rank 1 failed: the disk is full\n"));
    assert_non_null(strstr(heard, "3: rank 1 failed: the disk is full\n"));
}

static void rank_zero_that_fails_or_vanishes_is_noticed(void **state)
{
    (void)state;
    const enum fate fails[WORLD] = {FAILS, WAITS, WAITS, WAITS};
    const enum fate vanishes[WORLD] = {VANISHES, WAITS, WAITS, WAITS};
    int codes[WORLD];
    char heard[4096];
    meet(fails, codes, heard);
    assert_non_null(strstr(heard, "3: rank 0 failed: the disk is full\n"));
    meet(vanishes, codes, heard);
    assert_non_null(strstr(heard, "3: rank 0 died: its connection closed before it had ended\n"));
    for (int i = 1; i < WORLD; i++)
        assert_int_equal(codes[i], 3);
}

/* Every rank but those that are why hears `sentence` and leaves, soon. */
static void no_meeting(const enum fate fates[WORLD], const char *sentence)
{
    int codes[WORLD];
    char heard[4096], line[200];
    time_t began = time(NULL);
    meet(fates, codes, heard);
    assert_true(time(NULL) - began < PATIENCE * RENDEZVOUS_LINGER_S + 5);
    for (int i = 0; i < WORLD; i++) {
        snprintf(line, sizeof line, "%d: %s\n", i, sentence);
        if (fates[i] == WAITS && !strstr(heard, line))
            fail_msg("found '%s', expected '%s'", heard, line);
        assert_int_equal(codes[i], fates[i] == DIES_EARLY ? 0 : 4);
    }
}

static void a_rank_that_cannot_take_part_comes_to_say_so(void **state)
{
    (void)state;
    no_meeting((enum fate[]){WAITS, DECLINES, WAITS, WAITS}, "rank 1 failed: no GPU is here");
    no_meeting((enum fate[]){DECLINES, WAITS, WAITS, WAITS}, "rank 0 failed: no GPU is here");
}

static void a_rank_that_dies_before_all_have_come_is_named(void **state)
{
    (void)state;
    no_meeting((enum fate[]){WAITS, DIES_EARLY, WAITS, WAITS},
               "rank 1 died before all ranks had connected");
}

static void ranks_that_do_not_fit_each_other_do_not_meet(void **state)
{
    (void)state;
    no_meeting((enum fate[]){WAITS, WAITS, DOUBLES, WAITS}, "two processes have the rank number 1");
    no_meeting((enum fate[]){WAITS, WAITS, MISCOUNTS, WAITS},
               "rank 2 expects 5 ranks, but rank 0 expects 4");
    no_meeting((enum fate[]){SHARES, WAITS, SHARES, WAITS},
               "ranks 0 and 2 are set to use the same GPU: GPU-17");
    no_meeting((enum fate[]){WAITS, SHARES, SHARES, WAITS},
               "ranks 1 and 2 are set to use the same GPU: GPU-17");
}

static void a_rank_that_is_stopped_is_silent(void **state)
{
    (void)state;
    const enum fate fates[WORLD] = {WAITS, WAITS, STOPS, WAITS};
    int codes[WORLD];
    char heard[4096];
    time_t began = time(NULL);
    meet_within(IMPATIENT, fates, codes, heard);
    assert_true(time(NULL) - began < PATIENCE * RENDEZVOUS_SILENCE_S);
    for (int i = 0; i < WORLD; i++) {
        assert_int_equal(codes[i], 3); /* the stopped one, too, when it goes on */
        assert_non_null(strstr(heard, "rank 2 is silent: nothing was heard of it for 2 s"));
    }
}

/* A foreign process connects before the ranks do, says what is no hello, and is turned away. */
static void foreign_processes_are_turned_away(void **state)
{
    (void)state;
    int port = free_port(), codes[2], turned_away[2];
    pid_t pids[2];
    assert_int_equal(pipe(turned_away), 0);
    for (int i = 0; i < 2; i++)
        if ((pids[i] = fork()) == 0) {
            struct ranks ranks = {.rank = i,
                                  .world = 2,
                                  .address = "127.0.0.1",
                                  .port = port,
                                  .job = "a job",
                                  .patience = PATIENCE};
            struct rendezvous *r;
            struct err err = ERR_INIT;
            char bytes[8] = "secret!";
            const struct rendezvous_wish wish = {.ranks = &ranks,
                                                 .device = "",
                                                 .bytes = bytes,
                                                 .n = sizeof bytes,
                                                 .lost = lost,
                                                 .context = &i};
            if (i == 1 && read(turned_away[0], &(char){0}, 1) != 1)
                _exit(5);
            if (rendezvous_open(&r, &wish, &err) < 0)
                _exit(4);
            rendezvous_close(r, NULL);
            _exit(0);
        }
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    a.sin_port = htons((uint16_t)port);
    int fd = -1, tries = 20000;
    do {
        if (fd >= 0)
            close(fd);
        usleep(10 * 1000);
        fd = socket(AF_INET, SOCK_STREAM, 0);
    } while (connect(fd, (struct sockaddr *)&a, sizeof a) != 0 && --tries > 0);
    char answer[16];
    assert_int_equal(send(fd, "GET / HTTP/1.0\r\n\r\n", 18, MSG_NOSIGNAL), 18);
    assert_true(recv(fd, answer, sizeof answer, 0) <= 0); /* not a byte of the secret */
    assert_int_equal(write(turned_away[1], "", 1), 1);
    close(turned_away[0]);
    close(turned_away[1]);
    close(fd);
    for (int i = 0; i < 2; i++) {
        waitpid(pids[i], &codes[i], 0);
        assert_int_equal(codes[i], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_end_well),
        cmocka_unit_test(a_rank_that_vanishes_is_named_to_all),
        cmocka_unit_test(a_rank_that_fails_says_why),
        cmocka_unit_test(rank_zero_that_fails_or_vanishes_is_noticed),
        cmocka_unit_test(a_rank_that_cannot_take_part_comes_to_say_so),
        cmocka_unit_test(a_rank_that_dies_before_all_have_come_is_named),
        cmocka_unit_test(ranks_that_do_not_fit_each_other_do_not_meet),
        cmocka_unit_test(a_rank_that_is_stopped_is_silent),
        cmocka_unit_test(foreign_processes_are_turned_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
