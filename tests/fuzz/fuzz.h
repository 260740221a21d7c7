/*
 * fuzz: what libFuzzer calls. One program per reader of foreign bytes (fuzz_*.c), built with
 * ASan and UBSan by `make fuzz SECONDS=60 READERS='json tar'`. It begins with a few small inputs of
 * each kind (seeds/<reader>-<what>) and with what records/ and ../shared have (seeds.sh). Inputs
 * that broke something, or that a reader found by hand would, are kept in found/<reader>-<what>.
 * Seeds and found are replayed in every `make check` (replay.c, tests/cli/fuzz_found.sh).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
