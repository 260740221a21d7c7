#include "trainer/ranks/rank_message.h"

#include "trainer/ranks/socket.h"

#include <stdint.h>
#include <string.h>

#define MAGIC 0x66707274u /* "fprt" */
#define HEAD 3
#define HELLO_BYTES (12 + 128 + 128)

bool rank_say(int fd, enum message_word word, const void *bytes, size_t n)
{
    unsigned char message[HEAD + RANK_BYTES_MAX];
    n = n < RANK_BYTES_MAX ? n : RANK_BYTES_MAX;
    message[0] = (unsigned char)word;
    message[1] = (unsigned char)n;
    message[2] = (unsigned char)(n >> 8);
    if (n > 0)
        memcpy(message + HEAD, bytes, n);
    return socket_send(fd, message, HEAD + n);
}

bool rank_hear(int fd, struct rank_message *m, double until)
{
    unsigned char head[HEAD];
    if (!socket_receive(fd, head, sizeof head, until))
        return false;
    m->word = (enum message_word)head[0];
    m->n = head[1] | (size_t)head[2] << 8;
    return m->n <= sizeof m->bytes && socket_receive(fd, m->bytes, m->n, until);
}

/* ---- hello ---------------------------------------------------------------------------------- */

static void put32(unsigned char *to, uint32_t x)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(x >> 8 * i);
}

static uint32_t get32(const unsigned char *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

bool rank_say_hello(int fd, const struct rank_hello *hello)
{
    unsigned char packed[HELLO_BYTES] = {0};
    put32(packed, MAGIC);
    put32(packed + 4, (uint32_t)hello->rank);
    put32(packed + 8, (uint32_t)hello->world);
    memcpy(packed + 12, hello->job, strnlen(hello->job, sizeof hello->job));
    memcpy(packed + 12 + sizeof hello->job, hello->device,
           strnlen(hello->device, sizeof hello->device));
    return rank_say(fd, MESSAGE_HELLO, packed, sizeof packed);
}

bool rank_hear_hello(int fd, struct rank_hello *hello, double until)
{
    struct rank_message m;
    if (!rank_hear(fd, &m, until) || m.word != MESSAGE_HELLO || m.n != HELLO_BYTES ||
        get32(m.bytes) != MAGIC)
        return false;
    hello->rank = (int)get32(m.bytes + 4);
    hello->world = (int)get32(m.bytes + 8);
    memcpy(hello->job, m.bytes + 12, sizeof hello->job);
    memcpy(hello->device, m.bytes + 12 + sizeof hello->job, sizeof hello->device);
    hello->job[sizeof hello->job - 1] = hello->device[sizeof hello->device - 1] = '\0';
    return true;
}
