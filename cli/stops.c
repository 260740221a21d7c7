#include "cli/stops.h"

#include <stddef.h>

sigset_t stops_block(sigset_t *before)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t ours;
    sigemptyset(&ours);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        struct sigaction action;
        if (sigaction(stops[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&ours, stops[i]);
    }
    sigprocmask(SIG_BLOCK, &ours, before);
    return ours;
}
