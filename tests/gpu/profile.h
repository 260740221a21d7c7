/*
 * profile: where a GPU's time goes, operation by operation.
 *
 * profile_begin puts a table between the device and who uses it that notes an event before and
 * after every operation; profile_end prints, for every kind, how often it ran and how long.
 */
#pragma once

#include "trainer/device/device.h"

void profile_begin(struct device *d, void *stream);
void profile_end(struct device *d);
