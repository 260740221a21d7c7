#include "trainer/ranks/outbox.h"

#include "base/arena.h"
#include "trainer/ranks/socket.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct message {
    struct message *next;
    size_t bytes;
    char data[];
};

struct outbox {
    int fd;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct message *first, **last;
    bool ends, failed;
};

/* The next one, or NULL at the end. */
static struct message *take_message(struct outbox *o)
{
    pthread_mutex_lock(&o->mutex);
    while (!o->first && !o->ends)
        pthread_cond_wait(&o->changed, &o->mutex);
    struct message *m = o->first;
    if (m && !(o->first = m->next))
        o->last = &o->first;
    pthread_mutex_unlock(&o->mutex);
    return m;
}

static void *send_outbox(void *argument)
{
    struct outbox *o = argument;
    struct message *m;
    while ((m = take_message(o))) {
        bool sent = !o->failed && socket_send(o->fd, m->data, m->bytes);
        free(m);
        if (sent)
            continue;
        pthread_mutex_lock(&o->mutex);
        o->failed = true;
        pthread_mutex_unlock(&o->mutex);
    }
    return NULL;
}

int outbox_open(struct outbox **out, int fd, struct err *err)
{
    struct outbox *o = memory_alloc(sizeof *o);
    o->fd = fd;
    o->last = &o->first;
    pthread_mutex_init(&o->mutex, NULL);
    pthread_cond_init(&o->changed, NULL);
    *out = o;
    if (pthread_create(&o->thread, NULL, send_outbox, o) == 0)
        return 0;
    pthread_cond_destroy(&o->changed);
    pthread_mutex_destroy(&o->mutex);
    free(o);
    *out = NULL;
    return err_set(err, ERR_IO, "cannot begin a thread that sends");
}

int outbox_put(struct outbox *o, const void *from, size_t bytes, struct err *err)
{
    struct message *m = memory_alloc(sizeof *m + bytes);
    m->bytes = bytes;
    memcpy(m->data, from, bytes);
    pthread_mutex_lock(&o->mutex);
    bool failed = o->failed;
    *o->last = m;
    o->last = &m->next;
    pthread_cond_signal(&o->changed);
    pthread_mutex_unlock(&o->mutex);
    return failed ? err_set(err, ERR_IO, "a message could not be sent") : 0;
}

void outbox_close(struct outbox *o)
{
    if (!o)
        return;
    pthread_mutex_lock(&o->mutex);
    o->ends = true;
    pthread_cond_signal(&o->changed);
    pthread_mutex_unlock(&o->mutex);
    pthread_join(o->thread, NULL);
    pthread_cond_destroy(&o->changed);
    pthread_mutex_destroy(&o->mutex);
    free(o);
}
