/* under_asan: whether this is a build with AddressSanitizer, which has shadows and quarantines
 * beside what is measured and takes several times the processor: what only repeats is shorter
 * there. */
#pragma once

#include <stdbool.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if __has_feature(address_sanitizer) || defined __SANITIZE_ADDRESS__
#define UNDER_ASAN true
#else
#define UNDER_ASAN false
#endif
