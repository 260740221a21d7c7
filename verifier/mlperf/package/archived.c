#include "verifier/mlperf/package/archived.h"

#include "base/files/beneath.h"
#include "base/files/file.h"
#include "base/pack.h"
#include "base/process/worker.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

struct archive_listing {
    struct mlperf_archive *archive;
    struct bytes packed;
    struct arena *arena;
    struct err *err;
    bool listed;
};

int mlperf_archive_bytes(const struct mlperf_archive *archive, struct arena *arena,
                         struct bytes *out, struct err *err)
{
    if (archive->folder)
        return beneath_read(archive->folder, archive->path, ARCHIVE_PACKED_MAX, arena, out, err);
    return file_read(archive->path, ARCHIVE_PACKED_MAX, arena, out, err);
}

static void list_sealed_names(void *context, size_t i, struct worker *w)
{
    const struct archive_listing *x = context;
    struct diags diags = DIAGS_INIT(&w->arena);
    struct submission sealed;
    (void)i;
    bool read =
        submission_open_bytes(x->packed, x->archive->shown, &w->arena, &sealed, &diags) == 0;
    pack_number(&w->answer, read);
    pack_text(&w->answer, diags.n ? diags.items[0].message : NULL);
    if (!read)
        return;
    pack_number(&w->answer, sealed.intact);
    pack_text(&w->answer, sealed.archive_sha256);
    pack_number(&w->answer, sealed.n);
    for (size_t k = 0; k < sealed.n; k++)
        pack_text(&w->answer, sealed.files[k].name);
}

static bool take_archive_listing(void *context, size_t i, const struct worker_end *end)
{
    struct archive_listing *x = context;
    struct unpack u = unpack_answer(end->answer.data, end->answer.len);
    (void)i;
    if (end->outcome == WORKER_ANSWERED) {
        bool read = unpack_choice(&u, 1);
        x->archive->fault = take_words(&u, x->arena);
        if (read) {
            struct mlperf_archive *a = x->archive;
            a->intact = unpack_choice(&u, 1);
            const char *sha256 = take_words(&u, x->arena);
            snprintf(a->sha256, sizeof a->sha256, "%s", text_or_empty(sha256));
            a->n = unpack_list(&u, 1, ARCHIVE_ENTRIES_MAX, sizeof *a->members);
            a->members = arena_array(x->arena, a->n, sizeof *a->members);
            for (size_t j = 0; j < a->n; j++)
                a->members[j].name = text_or_empty(take_words(&u, x->arena));
            u.bad = u.bad || tar_check_names(a->members, a->n, a->shown, x->err) < 0;
        }
        x->listed = read && unpack_end(&u);
        if (!read && unpack_end(&u)) {
            err_set(x->err, ERR_INPUT, "%s: %s", x->archive->shown,
                    text_or_empty(x->archive->fault));
            return false;
        }
    }
    if (!x->listed)
        worker_fault(end, x->archive->shown, x->err);
    return false;
}

int mlperf_archive_list(struct mlperf_archive *archive, struct arena *arena, struct err *err)
{
    struct arena packed = ARENA_INIT;
    struct archive_listing x = {.archive = archive, .arena = arena, .err = err};
    int rc = mlperf_archive_bytes(archive, &packed, &x.packed, err);
    if (rc == 0) {
        const struct worker_crew crew = {.context = &x,
                                         .packed = x.packed.len,
                                         .work = list_sealed_names,
                                         .take = take_archive_listing};
        worker_each(&crew, 1);
        rc = x.listed ? 0 : -1;
    }
    arena_release(&packed);
    return rc;
}

bool mlperf_archive_is(const struct mlperf_archive *archive)
{
    for (size_t i = 0; i < archive->n; i++) {
        const char *name = archive->members[i].name;
        size_t slashes = 0;
        for (const char *at = name; *at; at++)
            slashes += *at == '/';
        if (slashes == 3 && text_starts(name, "results/") &&
            text_starts(strrchr(name, '/') + 1, "result_") && text_ends(name, ".txt"))
            return true;
    }
    return false;
}
