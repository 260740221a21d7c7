/*
 * fuzz: what libFuzzer calls. One program per reader of foreign bytes (fuzz_*.c), built with
 * ASan and UBSan by `make fuzz SECONDS=60`. The seeds are made from records/ and ../shared when
 * it runs (seeds.sh); inputs that broke something, or that a reader found by hand would, are kept
 * in found/<reader>-<what> and are replayed by tests/cli/fuzz_found.sh under ASan and UBSan.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
