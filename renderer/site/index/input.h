/*
 * site_input: what the site is made of (renderer/site/site.h): the records with their verdicts, the
 * rules, what the operator says, and what the site before knew.
 */
#pragma once

#include "base/project/project.h"
#include "base/records/verdict.h"
#include "renderer/site/index/previous.h"
#include "renderer/site/index/settings.h"

struct reuse;

/* One check, as the rules page explains it (the verifier's table has the same rows). Those of a
 * kind stand together. */
struct site_rule {
    const char *id;
    const char *severity;          /* "error", "error or warning" … */
    const char *since;             /* rule set that it came with */
    const char *kind;              /* what it is about, "curves": its part of the page of rules */
    struct words kind_title;       /* the same for readers */
    struct words title, statement; /* what it is called; what must hold */
    struct words why, how, fix;    /* commands and keys stand in backticks */
};

struct site {
    const struct project *project;
    const struct verdict *verdicts; /* one a result, in the order of project->results */
    size_t n_verdicts;
    const struct site_rule *rules;
    size_t n_rules;
    const struct words *messages; /* of rules, in both languages (renderer/words/messages.h) */
    size_t n_messages;
    const struct site_settings *settings;
    const struct site_previous *previous; /* what changes are told since; NULL: none is known */
    const struct site_previous *history;  /* whose history goes on, mostly the same; NULL: none */
    /* Results that have a record which cannot be read: they are not in `project`, and not gone. */
    const char *const *unread;
    size_t n_unread;
    const char *tool, *rule_set; /* versions that made the verdicts */
    const struct reuse *reuse;   /* files that need not be made; NULL: all are. Of a result whose
                                    files are all kept only the state and the figures are looked at */
};
