/*
 * sampler: the work of the monitor's helper process: take samples, append them to files.
 */
#pragma once

#include "trainer/run/monitor.h"

struct sampler;

/* Reads the counters that the first sample will be compared with. */
struct sampler *sampler_new(const struct monitor_options *options);
void sampler_free(struct sampler *s);

/* Take one sample of everything. What cannot be read is left out; -1 when a file cannot be
 * written. */
int sampler_take(struct sampler *s, struct err *err);
