/* tests: what attention.cpp's main() runs beside its own. */
#pragma once

/* How many failed; *tests counts on. */
int test_triangle(int *tests);
int test_embedding(int *tests);
int test_thin(int *tests);
int test_pictures(int *tests);
