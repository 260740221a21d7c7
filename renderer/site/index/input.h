/*
 * site_input: what the site is made of (renderer/site/site.h): the records with their verdicts, the
 * rules, what the operator says, and what the site before knew.
 */
#pragma once

#include "base/json/shape.h"
#include "base/project/project.h"
#include "base/records/verdict.h"
#include "renderer/site/index/previous.h"

/* What an operator says about the website, records/site.json. All of it is optional,
 * the file too.
 *
 *     {"schema": "fpreport.site/1",
 *      "title": {"zh": "训练评测", "en": "Training benchmarks"},
 *      "url": "https://bench.example.org/",
 *      "problems": "https://github.com/example/bench/issues/new",
 *      "operator": {"zh": "示例实验室", "en": "Example Lab"}, "contact":
 * "mailto:bench@example.org", "licence": "CC BY 4.0", "licence_url":
 * "https://creativecommons.org/licenses/by/4.0/", "compare": [{"a": "nvidia/llama2_7b-deepspeed",
 * "b": "metax/llama2_7b-deepspeed"}]} */

/* Two results that have a page of their own, side by side. */
struct site_pair {
    int line;
    const char *a, *b; /* "<vendor>/<case>" */
};

struct site_settings {
    int line;
    struct words title; /* of the whole site; absent: that of the string table */
    const char *url;    /* where it will be published, ends with '/'; NULL: not known */
    const char *date;   /* of this publication; NULL: not known */
    const char
        *archive;         /* folder of the archive of submissions (base/store/store.h), from that of
                           * the  records; NULL: beside it. The command line reads it, not the site */
    const char *problems; /* where a reader reports a wrong figure: a URL or mail address; NULL */
    struct words operator, licence; /* who publishes this, under which terms; absent: not said */
    const char *contact;            /* a URL or mail address of the operator; NULL */
    const char *licence_url;        /* where its terms can be read; NULL */
    struct site_pair *compare;
    size_t n_compare;
};

/* Of the folder with the records. Without the file everything is absent. -1 with diagnostics when
 * it is malformed. */
int site_settings_load(struct site_settings *out, const char *records, struct arena *arena,
                       struct diags *diags);

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
