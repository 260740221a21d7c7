/*
 * identity: which machine this is, as salted hashes (trainer/cards/salt.h), and what changes from
 * moment to moment: readers of the fingerprint's unstable facts from the system's files, as look.h
 * has those of the stable ones.
 */
#pragma once

#include "trainer/fingerprint/look.h"

struct found look_taken(struct looking *at);       /* "2026-11-22T15:00:00Z" */
struct found look_uptime(struct looking *at);      /* whole seconds */
struct found look_memory_free(struct looking *at); /* MemAvailable in GiB, one decimal */

struct found look_host(struct looking *at);       /* uname's */
struct found look_machine_id(struct looking *at); /* /etc/machine-id */
struct found
look_machine_serial(struct looking *at); /* DMI; the owner of the machine may read it */
struct found look_network_address(struct looking *at); /* adapters that have a device behind them */

struct found look_infiniband_guid(struct looking *at);

/* The names of a list "a, b", each hashed; "-" stays. */
struct found identity_list(struct looking *at, enum fact_id kind, const char *list);
