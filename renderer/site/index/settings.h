/*
 * site_settings: what an operator says about the website, records/site.json. All of it is optional,
 * the file too.
 *
 *     {"schema": "fpreport.site/1",
 *      "title": {"zh": "训练评测", "en": "Training benchmarks"},
 *      "url": "https://bench.example.org/",
 *      "problems": "https://github.com/example/bench/issues/new",
 *      "operator": {"zh": "示例实验室", "en": "Example Lab"}, "contact":
 * "mailto:bench@example.org", "licence": "CC BY 4.0", "licence_url":
 * "https://creativecommons.org/licenses/by/4.0/", "compare": [{"a": "nvidia/llama2_7b-deepspeed",
 * "b": "metax/llama2_7b-deepspeed"}]}
 */
#pragma once

#include "base/json/shape.h"

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
