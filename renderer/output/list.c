#include "renderer/output/list.h"

#include "base/files/file.h"
#include "base/text.h"
#include "renderer/output/outdir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HEADER "fpreport-build 1"
#define HEADER_PARTS "fpreport-build parts 1"
#define PART_PREFIX OUTDIR_LIST_NAME "-"
#define PART_DIGITS 16
#define LIST_BYTES_MAX ((size_t)256 << 20)
#define LIST_PARTS_MAX 64

static const char *part_fault(const char *part, size_t len)
{
    static const struct {
        const char *part, *fault;
    } refused[] = {
        {"", "an empty part or an absolute path"},
        {".", "a part that is \".\""},
        {"..", "a part that is \"..\""},
        {".git", "a part that is \".git\""},
        {OUTDIR_LIST_NAME, "the name of the list of written files"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (len == strlen(refused[i].part) && strncasecmp(part, refused[i].part, len) == 0)
            return refused[i].fault;
    return NULL;
}

bool outdir_list_is(const char *rel)
{
    size_t front = sizeof PART_PREFIX - 1;
    return strcmp(rel, OUTDIR_LIST_NAME) == 0 ||
           (strncmp(rel, PART_PREFIX, front) == 0 && strlen(rel + front) == PART_DIGITS &&
            strspn(rel + front, "0123456789abcdef") == PART_DIGITS);
}

const char *outdir_path_fault(const char *rel)
{
    size_t len = strlen(rel);
    if (outdir_list_is(rel))
        return "the name of the list of written files";
    if (len > OUTDIR_PATH_MAX)
        return "more than 1024 bytes";
    if (utf8_valid_until(rel, len) != len)
        return "invalid UTF-8";
    for (const char *p = rel; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7F || *p == '\\')
            return "a control character or backslash";
    for (const char *part = rel, *slash; part; part = slash ? slash + 1 : NULL) {
        slash = strchr(part, '/');
        const char *fault = part_fault(part, slash ? (size_t)(slash - part) : strlen(part));
        if (fault)
            return fault;
    }
    return NULL;
}

struct outdir_file *outdir_list_add(struct outdir_list *list, struct arena *arena, const char *path)
{
    struct outdir_file *file = ARENA_PUSH(arena, list->files, list->n);
    file->path = arena_strdup(arena, path);
    return file;
}

static int by_path_and_digest(const void *a, const void *b)
{
    const struct outdir_file *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order ? order : strcmp(x->digest, y->digest);
}

/* A list that we wrote is in order already. */
void outdir_list_sort(struct outdir_list *list)
{
    size_t sorted = 1;
    while (sorted < list->n &&
           by_path_and_digest(&list->files[sorted - 1], &list->files[sorted]) <= 0)
        sorted++;
    if (sorted < list->n)
        qsort(list->files, list->n, sizeof *list->files, by_path_and_digest);
}

/* A line of a list, without its end: the path behind the digest; NULL: it is none. */
static const char *read_outdir_line(char *line, size_t len)
{
    if (len < HASH_HEX_LEN + 3 || memcmp(line + HASH_HEX_LEN, "  ", 2) != 0)
        return NULL;
    line[HASH_HEX_LEN] = '\0';
    const char *path = line + HASH_HEX_LEN + 2;
    return strlen(path) == len - HASH_HEX_LEN - 2 && hash_is_hex(line) ? path : NULL;
}

/* Ends the line that begins here; its length, and where the next one begins. */
static size_t end_line(char *line, char *end, char **next)
{
    char *newline = memchr(line, '\n', (size_t)(end - line));
    size_t len = (size_t)((newline ? newline : end) - line);
    line[len] = '\0';
    *next = newline ? newline + 1 : end;
    return len;
}

static size_t count_outdir_lines(const char *text, const char *end)
{
    size_t n = 1;
    while ((text = memchr(text, '\n', (size_t)(end - text))))
        text++, n++;
    return n;
}

/* The text of a list, or of a part of it, in memory of our own. */
struct list_text {
    const char *path;
    char *line, *end;
    size_t number; /* of the line */
};

static int bad_line(const struct list_text *t, const char *line, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s:%zu: found '%.80s', expected a digest and a path", t->path,
                   t->number, line);
}

static int take_lines(struct outdir_list *list, struct list_text *t, struct err *err)
{
    for (char *line, *next; (line = t->line) < t->end; t->line = next, t->number++) {
        size_t len = end_line(line, t->end, &next);
        const char *path = read_outdir_line(line, len);
        if (!path || outdir_path_fault(path))
            return bad_line(t, line, err);
        struct outdir_file *file = &list->files[list->n++];
        file->path = path;
        memcpy(file->digest, line, HASH_HEX_SIZE);
    }
    return 0;
}

/* A part is believed when it has the digest that the list says. */
static int load_part(const char *root, const char *line, const char *name, struct arena *arena,
                     struct list_text *part, struct err *err)
{
    char hex[HASH_HEX_SIZE];
    struct bytes text;
    const char *path = path_join(arena, root, name);
    if (file_read(path, LIST_BYTES_MAX, arena, &text, err) < 0)
        return -1;
    hash_sha256(text.data, text.len, hex);
    if (strcmp(hex, line) != 0)
        return err_set(err, ERR_INPUT,
                       "%s: found other bytes than its name says, expected a part of the list of "
                       "written files: remove the folder and build it again",
                       path);
    *part = (struct list_text){path, (char *)text.data, (char *)text.data + text.len, 1};
    return 0;
}

static int load_parts(struct outdir_list *list, const char *root, struct list_text *t,
                      struct arena *arena, struct err *err)
{
    struct list_text parts[LIST_PARTS_MAX];
    size_t n = 0, lines = 0;
    for (char *line, *next; (line = t->line) < t->end; t->line = next, t->number++) {
        const char *name = read_outdir_line(line, end_line(line, t->end, &next));
        if (!name || !outdir_list_is(name) || n == LIST_PARTS_MAX)
            return bad_line(t, line, err);
        if (load_part(root, line, name, arena, &parts[n], err) < 0)
            return -1;
        lines += count_outdir_lines(parts[n].line, parts[n].end);
        n++;
    }
    list->files = arena_array(arena, lines, sizeof *list->files);
    for (size_t i = 0; i < n; i++)
        if (take_lines(list, &parts[i], err) < 0)
            return -1;
    return 0;
}

int outdir_list_load(struct outdir_list *list, const char *root, struct arena *arena,
                     struct err *err)
{
    struct bytes text;
    const char *path = path_join(arena, root, OUTDIR_LIST_NAME);
    *list = (struct outdir_list){0};
    int there = file_is_there(path, err);
    if (there <= 0)
        return there;
    if (file_read(path, LIST_BYTES_MAX, arena, &text, err) < 0)
        return -1;
    char *header = (char *)text.data;
    struct list_text t = {path, header, header + text.len, 2};
    list->files = arena_array(arena, count_outdir_lines(header, t.end), sizeof *list->files);
    end_line(header, t.end, &t.line);
    bool parts = strcmp(header, HEADER_PARTS) == 0;
    if (!parts && strcmp(header, HEADER) != 0)
        return err_set(err, ERR_INPUT, "%s:1: expected '%s'", path, HEADER);
    if ((parts ? load_parts(list, root, &t, arena, err) : take_lines(list, &t, err)) < 0)
        return -1;
    outdir_list_sort(list);
    return 0;
}

/* Rows from `from` on, as many as fit, but one at least; which one is next. */
static size_t put_list_rows(const struct outdir_list *list, size_t from, size_t max,
                            struct buf *out)
{
    size_t begin = out->len, i = from;
    for (; i < list->n; i++) {
        const struct outdir_file *file = &list->files[i];
        if (i > from && out->len - begin + HASH_HEX_LEN + strlen(file->path) + 3 > max)
            break;
        buf_add(out, file->digest, HASH_HEX_LEN);
        buf_add(out, "  ", 2);
        buf_str(out, file->path);
        buf_char(out, '\n');
    }
    return i;
}

int outdir_list_write(const struct outdir_list *list, size_t part_max, struct buf *out,
                      outdir_list_put *put, void *self, struct err *err)
{
    struct buf part;
    int rc = 0;
    buf_str(out, HEADER "\n");
    if (put_list_rows(list, 0, part_max - out->len, out) >= list->n)
        return 0;
    buf_clear(out);
    buf_str(out, HEADER_PARTS "\n");
    buf_init(&part, part_max + OUTDIR_PATH_MAX + HASH_HEX_SIZE);
    for (size_t i = 0; i < list->n && rc == 0;) {
        char hex[HASH_HEX_SIZE], name[sizeof PART_PREFIX + PART_DIGITS];
        buf_clear(&part);
        i = put_list_rows(list, i, part_max, &part);
        rc = buf_check(&part, OUTDIR_LIST_NAME, err);
        hash_sha256(part.data, part.len, hex);
        snprintf(name, sizeof name, PART_PREFIX "%.*s", PART_DIGITS, hex);
        buf_printf(out, "%s  %s\n", hex, name);
        if (rc == 0 && put)
            rc = put(self, name, (struct bytes){part.data, part.len}, err);
    }
    buf_release(&part);
    return rc;
}

/* The first file whose path is not before `path`: mostly the one found last, or that behind it,
 * since walks go through a tree nearly in the order of a list. */
static size_t lower_bound(struct outdir_list *list, const char *path)
{
    size_t low = 0, high = list->n;
    for (size_t i = list->found; i < high && i <= list->found + 1; i++)
        if (strcmp(list->files[i].path, path) >= 0 &&
            (i == 0 || strcmp(list->files[i - 1].path, path) < 0))
            return list->found = i;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(list->files[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return list->found = low;
}

size_t outdir_list_place(struct outdir_list *list, const char *path)
{
    size_t i = lower_bound(list, path);
    return i < list->n && strcmp(list->files[i].path, path) == 0 ? i : OUTDIR_NOWHERE;
}

const struct outdir_file *outdir_list_find(struct outdir_list *list, const char *path)
{
    size_t i = outdir_list_place(list, path);
    return i == OUTDIR_NOWHERE ? NULL : &list->files[i];
}

bool outdir_list_has(struct outdir_list *list, const char *path, const char *digest)
{
    for (size_t i = lower_bound(list, path); i < list->n; i++) {
        if (strcmp(list->files[i].path, path) != 0)
            return false;
        if (strcmp(list->files[i].digest, digest) == 0)
            return true;
    }
    return false;
}

size_t outdir_list_below(struct outdir_list *list, const char *folder)
{
    char prefix[OUTDIR_PATH_MAX + 2];
    size_t len = strlen(folder);
    if (len > OUTDIR_PATH_MAX)
        return OUTDIR_NOWHERE;
    memcpy(prefix, folder, len);
    memcpy(prefix + len, "/", 2);
    size_t i = lower_bound(list, prefix);
    bool below = i < list->n && strncmp(list->files[i].path, prefix, len + 1) == 0;
    return below ? i : OUTDIR_NOWHERE;
}

bool outdir_list_has_below(struct outdir_list *list, const char *folder)
{
    return outdir_list_below(list, folder) != OUTDIR_NOWHERE;
}
