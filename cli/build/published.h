/*
 * build_published: what figures the publication before had, so that a site can tell which are
 * others, and what a result that is gone stated last.
 *
 * The published verdicts (result/<vendor>/<case>/verify.json) are read of results whose figures
 * have another sum (renderer/site/index/figures.h), and of those that have no record any more.
 */
#pragma once

#include "cli/build/build.h"
#include "renderer/publish/past.h"

/* Completes b->history. `past` stands at the commit that it is from; NULL: the folder --previous.
 * What is damaged counts as not there; -1, ERR_IO where the machine could not read a file of the
 * folder (of `past` it is asked by repo_past_trouble). */
int build_published_figures(struct build *b, struct repo_past *past, struct err *err);

/* Does a publication that the history goes on from have the states, figures and results of now? */
bool build_published_same(const struct build *b, const struct site_previous *p);
