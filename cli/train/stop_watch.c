#include "cli/train/stop_watch.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void *watch_for_stop(void *argument)
{
    struct stop_watch *w = argument;
    struct signalfd_siginfo info;
    struct pollfd news[] = {{.fd = w->signals, .events = POLLIN},
                            {.fd = w->wake, .events = POLLIN}};
    for (;;) {
        int ready = poll(news, 2, -1);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready < 0 || news[1].revents)
            return NULL; /* where it cannot wait, a stop waits for the first step */
        if (read(w->signals, &info, sizeof info) == (ssize_t)sizeof info)
            w->stopped(w->context, (int)info.ssi_signo);
    }
}

int stop_watch_begin(struct stop_watch *w, struct err *err)
{
    w->wake = eventfd(0, EFD_CLOEXEC);
    if (w->wake >= 0 && pthread_create(&w->thread, NULL, watch_for_stop, w) == 0)
        return 0;
    if (w->wake >= 0)
        close(w->wake);
    w->wake = -1;
    return err_set(err, ERR_IO, "cannot watch for signals");
}

void stop_watch_end(struct stop_watch *w)
{
    uint64_t one = 1;
    if (w->wake < 0)
        return;
    if (write(w->wake, &one, sizeof one) < 0)
        pthread_cancel(w->thread);
    pthread_join(w->thread, NULL);
    close(w->wake);
    w->wake = -1;
}
