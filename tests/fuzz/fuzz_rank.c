/* What a rank hears from another, through a socket. */
#include "tests/fuzz/fuzz.h"

#include "trainer/ranks/rendezvous.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define SENT_MAX 65536 /* what a socket holds without a reader */

static void hear(const uint8_t *data, size_t size, bool hello)
{
    int ends[2];
    struct rank_message m;
    struct rank_hello h;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return;
    if (write(ends[0], data, size) != (ssize_t)size)
        abort();
    close(ends[0]);
    while (hello ? rank_hear_hello(ends[1], &h, 0) : rank_hear(ends[1], &m, 0))
        if (!hello && m.n > RANK_BYTES_MAX)
            abort();
    close(ends[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > SENT_MAX)
        return 0;
    hear(data, size, false);
    hear(data, size, true);
    return 0;
}
