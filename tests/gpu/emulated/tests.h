/* tests: what attention.cpp's main() runs beside its own. */
#ifndef TESTS_GPU_EMULATED_TESTS_H
#define TESTS_GPU_EMULATED_TESTS_H

/* How many failed; *tests counts on. */
int test_embedding(int *tests);
int test_thin(int *tests);
int test_pictures(int *tests);

#endif
