#include "renderer/output/ordered.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct made_file {
    char *path; /* the bytes stand behind its NUL */
    size_t path_size, len;
};

/* What came of one item. */
struct slot {
    struct made_file *files; /* in `arena`; the bytes are not */
    size_t n;
    struct arena arena;
    struct err err;
    int rc;
    bool ready;
};

struct line {
    ordered_make *make;
    void *context;
    size_t n, next, emitted; /* items: all, taken by somebody, handed on */
    bool stopped;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct slot slots[ORDERED_WINDOW];
};

struct worker {
    struct line *line;
    size_t number;
    pthread_t thread;
};

static int keep_ordered(void *self, const char *path, const void *data, size_t len, struct err *err)
{
    (void)err;
    struct slot *s = self;
    struct made_file *f = ARENA_PUSH(&s->arena, s->files, s->n);
    f->path_size = strlen(path) + 1;
    f->len = len;
    f->path = memory_grow(NULL, f->path_size + len);
    memcpy(f->path, path, f->path_size);
    if (len)
        memcpy(f->path + f->path_size, data, len);
    return 0;
}

static void slot_clear(struct slot *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->files[i].path);
    arena_release(&s->arena);
    s->files = NULL;
    s->n = 0;
    s->ready = false;
}

static bool may_take(const struct line *l)
{
    return !l->stopped && l->next < l->n && l->next < l->emitted + ORDERED_WINDOW;
}

/* With the lock held; it is let go of while the item is made. */
static void make_next(struct line *l, size_t worker)
{
    size_t i = l->next++;
    struct slot *s = &l->slots[i % ORDERED_WINDOW];
    pthread_mutex_unlock(&l->lock);
    s->err = (struct err)ERR_INIT;
    s->rc = l->make(l->context, worker, i, keep_ordered, s, &s->err);
    pthread_mutex_lock(&l->lock);
    s->ready = true;
    pthread_cond_broadcast(&l->changed);
}

static void *work(void *self)
{
    struct worker *w = self;
    struct line *l = w->line;
    pthread_mutex_lock(&l->lock);
    while (!l->stopped && l->next < l->n) {
        if (may_take(l))
            make_next(l, w->number);
        else
            pthread_cond_wait(&l->changed, &l->lock);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

static int hand_on(struct slot *s, file_sink *emit, void *self, struct err *err)
{
    for (size_t k = 0; k < s->n; k++) {
        const struct made_file *f = &s->files[k];
        if (emit(self, f->path, f->path + f->path_size, f->len, err) < 0)
            return -1;
    }
    if (s->rc < 0)
        *err = s->err;
    return s->rc;
}

/* The caller's part: to hand on what is ready, and to help where the next is not. */
static int drain_ordered(struct line *l, file_sink *emit, void *self, struct err *err)
{
    int rc = 0;
    pthread_mutex_lock(&l->lock);
    while (rc == 0 && l->emitted < l->n) {
        struct slot *s = &l->slots[l->emitted % ORDERED_WINDOW];
        if (s->ready) {
            pthread_mutex_unlock(&l->lock);
            rc = hand_on(s, emit, self, err);
            slot_clear(s);
            pthread_mutex_lock(&l->lock);
            l->emitted++;
            pthread_cond_broadcast(&l->changed);
        } else if (may_take(l)) {
            make_next(l, 0);
        } else {
            pthread_cond_wait(&l->changed, &l->lock);
        }
    }
    l->stopped = true;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    return rc;
}

size_t ordered_workers(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores < ORDERED_WORKERS_MAX ? (size_t)cores : ORDERED_WORKERS_MAX;
}

int ordered_emit(size_t n, ordered_make *make, void *context, file_sink *emit, void *self,
                 struct err *err)
{
    struct worker others[ORDERED_WORKERS_MAX];
    struct line *l = memory_alloc(sizeof *l);
    l->make = make;
    l->context = context;
    l->n = n;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    size_t started = 1, wanted = ordered_workers();
    for (; started < wanted && started < n; started++) {
        others[started] = (struct worker){.line = l, .number = started};
        if (pthread_create(&others[started].thread, NULL, work, &others[started]))
            break;
    }
    int rc = drain_ordered(l, emit, self, err);
    for (size_t i = 1; i < started; i++)
        pthread_join(others[i].thread, NULL);
    for (size_t i = 0; i < ORDERED_WINDOW; i++)
        slot_clear(&l->slots[i]);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l);
    return rc;
}
