/* store_sample: an archive of two submissions in the test's folder, and what is found in it. */
#pragma once

#include "collector/store/write.h"
#include "tests/unit/folder.h"

#include "base/store/store.h"
#include "collector/store/store_check.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define DIGITS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"

/* A checkpoint of an empty log and its signature, made by ssh-keygen with a key that nobody has. */
#define SIGNED_CHECKPOINT                                                              \
    "{\"schema\": \"fpreport.checkpoint/1\", \"n\": 0, \"head\": "                     \
    "\"0000000000000000000000000000000000000000000000000000000000000000\", \"date\": " \
    "\"2026-11-22T16:00:00Z\"}\n"                                                      \
    "-----BEGIN SSH SIGNATURE-----\n"                                                  \
    "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgO81ahhGzIAWyZvcSL8Z8Ueus/M\n"         \
    "BBBz4YlbY+o3ext5EAAAAWZnByZXBvcnQtY2hlY2twb2ludC12MQAAAAAAAAAGc2hhNTEy\n"         \
    "AAAAUwAAAAtzc2gtZWQyNTUxOQAAAEAGYT4UqnJ+TE7a4AwoBrdct78dYOqcuxsjKHL7z4\n"         \
    "EfuuDTvMMNtO/GZnjlaVN/0r3j+XFdBf9zqXSJbnTsiP8A\n"                                 \
    "-----END SSH SIGNATURE-----\n"

static inline void write_file(const char *path, const void *data, size_t len)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static inline struct bytes read_file(const char *path, struct arena *arena)
{
    struct bytes b;
    struct err err = ERR_INIT;
    if (file_read(path, STORE_LOG_MAX, arena, &b, &err) < 0)
        fail_msg("%s", err.text);
    return b;
}

/* Findings about this archive; what kinds, as "log altered". */
static inline size_t check(const char *root, struct arena *arena, char *kinds, size_t size)
{
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    struct store_report r = {.arena = arena, .root = root, .now = (long long)time(NULL)};
    diags_init(&d, arena);
    kinds[0] = '\0';
    if (store_open(&s, root, arena, &d, &err) < 0) {
        snprintf(kinds, size, "none");
        return 1;
    }
    store_check_log(&r, &s.log, "log.jsonl", &d);
    store_check_files(&r, &s);
    store_close(&s);
    assert_null(r.machine);
    for (size_t i = 0; i < r.n; i++) {
        size_t at = strlen(kinds);
        if (!strstr(kinds, store_finding_name(r.findings[i].kind)))
            snprintf(kinds + at, size - at, "%s%s", at ? " " : "",
                     store_finding_name(r.findings[i].kind));
    }
    return r.n;
}

#define FINDS(root, expected)                        \
    do {                                             \
        struct arena found_ = ARENA_INIT;            \
        char kinds_[256];                            \
        check(root, &found_, kinds_, sizeof kinds_); \
        arena_release(&found_);                      \
        assert_string_equal(kinds_, expected);       \
    } while (0)

static inline void add(struct store *s, const char *text, const char *submission)
{
    struct err err = ERR_INIT;
    char *hex = arena_alloc(s->arena, HASH_HEX_SIZE);
    hash_sha256(text, strlen(text), hex);
    struct store_entry e = {.kind = STORE_ADDED,
                            .submission = submission,
                            .object = hex,
                            .rules = "2026.2",
                            .verdict = DIGITS};
    if (store_put(s, (struct bytes){text, strlen(text)}, hex, &err) < 0 ||
        store_append(s, &e, &err) < 0)
        fail_msg("%s", err.text);
}

/* Two submissions, one withdrawn, one published in part. */
static const char *make(void **state)
{
    struct folder *f = *state;
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    const char *root = in_folder(state, "archive");
    char two[HASH_HEX_SIZE];
    hash_sha256("tw", 2, two);
    const char *withheld[] = {"case.json", "rank0.out.log"};
    struct store_entry gone = {.kind = STORE_WITHDRAWN,
                               .submission = DIGITS,
                               .by = "Acme",
                               .reason = {"驱动有误", "The driver was at fault."}};
    struct store_entry part = {.kind = STORE_REDACTION,
                               .submission = OTHER,
                               .by = "us",
                               .publish = STORE_REDACTED,
                               .object = two,
                               .withheld = withheld,
                               .n_withheld = 2,
                               .reason = {"host names", NULL}};
    diags_init(&d, &f->arena);
    if (store_lock(&s, root, &f->arena, &d, &err) < 0)
        fail_msg("%s", err.text);
    add(&s, "one", DIGITS);
    add(&s, "two", OTHER);
    if (store_put(&s, (struct bytes){"tw", 2}, two, &err) < 0 ||
        store_append(&s, &gone, &err) < 0 || store_append(&s, &part, &err) < 0)
        fail_msg("%s", err.text);
    store_close(&s);
    return root;
}
