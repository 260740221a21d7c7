/* page_texts: the parts of a page that are text, for the rules that look through all of it. */
#pragma once

#include "verifier/claims/audit.h"

/* A text of the page that is looked through: with its first line. */
void page_each_text(struct audit *a, void (*look)(struct audit *a, const char *text, int line));
