/*
 * site_timeline: the states of a list's results over publications (private to renderer/site/).
 *
 * A day of publication is one that a moment of a result's history has; a result counts from its
 * first one on, with the state of its last moment until then. Nothing is drawn before two days are
 * known: a history begins with the second publication that has a date.
 */
#pragma once

#include "renderer/site/sheet/sheet.h"

/* {"timeline": the drawing, or ""} */
void sheet_set_timeline(struct sheet *s, const struct site_list *list);
