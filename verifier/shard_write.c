/* shard_set_write: runs are copied from the documents, those with a finding about other cases get
 * it at its place. */
#include "base/json/json_parts.h"
#include "base/json/shape.h"
#include "verifier/shard_merge.h"
#include "verifier/verdicts/doc.h"
#include "verifier/verdicts/shape.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define OPEN_MAX_SHARDS 128 /* files at a time */
#define PART_BYTES ((size_t)1 << 20)

struct merging {
    const struct shard_set *set;
    struct buf text;
    struct json_writer w;
    shard_sink *sink;
    void *self;
    struct {
        int fd;
        unsigned shard;
    } files[OPEN_MAX_SHARDS];
};

static int flush_merged(struct merging *m, bool all, struct err *err)
{
    if (buf_check(&m->text, "a run", err) < 0)
        return -1;
    if (!all && m->text.len < PART_BYTES)
        return 0;
    int rc = m->sink(m->self, m->text.data, m->text.len, err);
    buf_clear(&m->text);
    return rc;
}

static int file_of_shard(struct merging *m, unsigned shard, struct err *err)
{
    size_t slot = shard % OPEN_MAX_SHARDS;
    const char *path = m->set->docs[shard].path;
    if (m->files[slot].fd >= 0 && m->files[slot].shard == shard)
        return m->files[slot].fd;
    if (m->files[slot].fd >= 0)
        close(m->files[slot].fd);
    m->files[slot].shard = shard;
    m->files[slot].fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (m->files[slot].fd < 0)
        err_errno(err, ERR_IO, "%s: cannot be read", path);
    return m->files[slot].fd;
}

/* ---- a run with findings that were not known ---------------------------------------------- */

static void put_element(struct buf *out, bool *fresh, const char *text, size_t len)
{
    buf_str(out, *fresh ? "\n        " : ",\n        ");
    buf_add(out, text, len);
    *fresh = false;
}

static void put_found_line(struct buf *out, bool *fresh, const struct shape *shape,
                           const struct check_result *c)
{
    struct buf line = BUF_INIT(BUF_DEFAULT_MAX);
    struct json_writer w = JSON_WRITER_INIT(&line);
    shape_write(shape, c, FIELD_SHOWN, &w, NULL);
    put_element(out, fresh, line.data, line.len);
    buf_release(&line);
}

/* The list with what was found, each in front of the element that it was in front of. */
static void put_list(struct buf *out, struct bytes list, const struct shard_patch *p,
                     const struct shape *shape)
{
    struct json_parts parts = json_parts_of(list);
    struct json_part part;
    bool fresh = true, more = true;
    size_t next = 0;
    buf_char(out, '[');
    for (size_t i = 0; more; i++) {
        more = json_parts_next(&parts, &part);
        for (; next < p->n; next++) {
            const struct across_ask *ask = p->found[next].ask;
            if (more && (shape == &check_shape ? ask->check : ask->finding) != i)
                break;
            put_found_line(out, &fresh, shape, &p->found[next].finding);
        }
        if (more)
            put_element(out, &fresh, part.value.data, part.value.len);
    }
    buf_str(out, fresh ? "]" : "\n      ]");
}

static void patch_run(struct bytes run, const struct shard_patch *p, struct buf *out)
{
    struct json_parts members = json_parts_of(run);
    struct json_part part;
    const char *from = run.data;
    while (json_parts_next(&members, &part)) {
        bool state = json_part_is(&part, "state"), findings = json_part_is(&part, "findings");
        if (!state && !findings && !json_part_is(&part, "checks"))
            continue;
        buf_add(out, from, (size_t)(part.value.data - from));
        from = part.value.data + part.value.len;
        if (state)
            buf_printf(out, "\"%s\"", state_name(p->state));
        else
            put_list(out, part.value, p, findings ? &finding_shape : &check_shape);
    }
    buf_add(out, from, (size_t)(run.data + run.len - from));
}

/* ---- all of it ---------------------------------------------------------------------------- */

static int read_run(struct merging *m, const struct shard_run *run, struct arena *arena,
                    struct bytes *out, struct err *err)
{
    struct buf patched = BUF_INIT(SHARD_DOC_MAX);
    int fd = file_of_shard(m, run->shard, err);
    if (fd < 0 ||
        file_read_at(fd, m->set->docs[run->shard].path, run->at, run->len, arena, out, err) < 0)
        return -1;
    if (!run->patch)
        return 0;
    patch_run(*out, &m->set->patches[run->patch - 1], &patched);
    int rc = buf_check(&patched, "a run", err);
    *out = (struct bytes){arena_strndup(arena, patched.data, patched.len), patched.len};
    buf_release(&patched);
    return rc;
}

static int put_run(struct merging *m, const struct shard_run *run, struct err *err)
{
    struct arena own = ARENA_INIT;
    struct bytes text;
    int rc = read_run(m, run, &own, &text, err);
    if (rc == 0)
        json_again(&m->w, text.data, text.len);
    arena_release(&own);
    return rc < 0 ? -1 : flush_merged(m, false, err);
}

static int write_merged(struct merging *m, const char *records, struct err *err)
{
    const struct shard_set *s = m->set;
    const struct shard_head *head = &s->docs[0].head;
    json_begin_object(&m->w, NULL);
    json_string(&m->w, "schema", "fpreport.verify/1");
    json_string(&m->w, "tool", head->tool);
    json_string(&m->w, "rules", head->rules);
    json_string_if(&m->w, "only", head->only);
    json_string_if(&m->w, "records", records);
    if (s->incomplete)
        json_bool(&m->w, "incomplete", true);
    json_begin_array(&m->w, "runs");
    for (size_t i = 0; i < s->n_runs; i++)
        if (put_run(m, &s->runs[i], err) < 0)
            return -1;
    json_end_array(&m->w);
    shard_doc_summary(&m->w, s->states);
    json_end_object(&m->w);
    json_finish(&m->w);
    return flush_merged(m, true, err);
}

static void begin_merging(struct merging *m, const struct shard_set *s)
{
    *m = (struct merging){.set = s};
    for (size_t i = 0; i < OPEN_MAX_SHARDS; i++)
        m->files[i].fd = -1;
    buf_init(&m->text, SHARD_DOC_MAX);
    json_writer_init(&m->w, &m->text);
}

static void end_merging(struct merging *m)
{
    for (size_t i = 0; i < OPEN_MAX_SHARDS; i++)
        if (m->files[i].fd >= 0)
            close(m->files[i].fd);
    buf_release(&m->text);
}

int shard_set_write(const struct shard_set *s, const char *records, shard_sink *sink, void *self,
                    struct err *err)
{
    struct merging m;
    begin_merging(&m, s);
    m.sink = sink;
    m.self = self;
    int rc = write_merged(&m, records, err);
    end_merging(&m);
    return rc;
}

int shard_set_doc(const struct shard_set *s, unsigned shard, struct arena *arena,
                  struct verdict_doc *out, struct diags *diags, struct err *err)
{
    const struct shard_doc *d = &s->docs[shard];
    struct merging m;
    int rc = 0;
    *out = (struct verdict_doc){.file = d->path,
                                .tool = d->head.tool,
                                .rules = d->head.rules,
                                .only = d->head.only,
                                .incomplete = d->end.incomplete};
    begin_merging(&m, s);
    for (size_t i = 0; i < s->n_runs && rc == 0; i++) {
        struct arena own = ARENA_INIT;
        struct bytes text;
        if (s->runs[i].shard != shard)
            continue;
        rc = read_run(&m, &s->runs[i], &own, &text, err);
        if (rc == 0)
            rc = verdict_doc_read_run(d->path, text, arena,
                                      ARENA_PUSH(arena, out->runs, out->n_runs), diags);
        arena_release(&own);
    }
    end_merging(&m);
    return rc;
}
