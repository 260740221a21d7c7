/* report_stride: how many steps lie between the reports of a training. */
#pragma once

#include <stddef.h>

/* The only s for which n reports, one every s steps, fit between these numbers of steps; 0: none,
 * or several, or the first report may be one more (logging_first_step). */
double report_stride(size_t n, double least, double most);
