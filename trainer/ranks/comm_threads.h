/*
 * comm_threads: collectives of ranks that are threads of one process, each with a device whose
 * memory is the host's.
 *
 * For the multi-rank logic to be tried under many plans in one process, without sockets. Sums are
 * taken in the order of ranks, so that the bits depend on the number of ranks only. Collectives are
 * done when they return. A rank that abandons its comm ends what the others wait for, in its groups
 * too, with an error.
 */
#pragma once

#include "trainer/ranks/comm.h"

/* What the ranks share. */
struct comm_threads;

struct comm_threads *comm_threads_new(int world);
void comm_threads_free(struct comm_threads *t); /* when every rank has closed its comm */

/* On each rank's thread. */
int comm_threads_open(struct comm **out, struct comm_threads *t, struct device *device, int rank,
                      struct err *err);
