#include "renderer/output/list.h"

#include "base/files/file.h"
#include "base/text.h"
#include "renderer/output/outdir.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HEADER "fpreport-build 1"
#define LIST_BYTES_MAX ((size_t)256 << 20)

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

const char *outdir_path_fault(const char *rel)
{
    size_t len = strlen(rel);
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

static bool read_outdir_line(struct outdir_list *list, char *line, size_t len)
{
    if (len < HASH_HEX_LEN + 3 || memcmp(line + HASH_HEX_LEN, "  ", 2) != 0)
        return false;
    line[HASH_HEX_LEN] = '\0';
    const char *path = line + HASH_HEX_LEN + 2;
    if (strlen(path) != len - HASH_HEX_LEN - 2 || !hash_is_hex(line) || outdir_path_fault(path))
        return false;
    struct outdir_file *file = &list->files[list->n++];
    file->path = path; /* in the text of the list, which is in the arena */
    memcpy(file->digest, line, HASH_HEX_SIZE);
    return true;
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
    char *line = (char *)text.data, *end = line + text.len, *next; /* our own copy */
    list->files = arena_array(arena, count_outdir_lines(line, end), sizeof *list->files);
    end_line(line, end, &next);
    if (strcmp(line, HEADER) != 0)
        return err_set(err, ERR_INPUT, "%s:1: expected '%s'", path, HEADER);
    for (size_t number = 2; (line = next) < end; number++) {
        size_t len = end_line(line, end, &next);
        if (!read_outdir_line(list, line, len))
            return err_set(err, ERR_INPUT, "%s:%zu: found '%.80s', expected a digest and a path",
                           path, number, line);
    }
    outdir_list_sort(list);
    return 0;
}

void outdir_list_write(const struct outdir_list *list, struct buf *out)
{
    buf_str(out, HEADER "\n");
    for (size_t i = 0; i < list->n; i++) {
        const struct outdir_file *file = &list->files[i];
        buf_add(out, file->digest, HASH_HEX_LEN);
        buf_add(out, "  ", 2);
        buf_str(out, file->path);
        buf_char(out, '\n');
    }
}

/* The first file whose path is not before `path`. */
static size_t lower_bound(const struct outdir_list *list, const char *path)
{
    size_t low = 0, high = list->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(list->files[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t outdir_list_place(const struct outdir_list *list, const char *path)
{
    size_t i = lower_bound(list, path);
    return i < list->n && strcmp(list->files[i].path, path) == 0 ? i : OUTDIR_NOWHERE;
}

const struct outdir_file *outdir_list_find(const struct outdir_list *list, const char *path)
{
    size_t i = outdir_list_place(list, path);
    return i == OUTDIR_NOWHERE ? NULL : &list->files[i];
}

bool outdir_list_has(const struct outdir_list *list, const char *path, const char *digest)
{
    for (size_t i = lower_bound(list, path); i < list->n; i++) {
        if (strcmp(list->files[i].path, path) != 0)
            return false;
        if (strcmp(list->files[i].digest, digest) == 0)
            return true;
    }
    return false;
}

bool outdir_list_has_below(const struct outdir_list *list, const char *folder)
{
    char prefix[OUTDIR_PATH_MAX + 2];
    size_t len = strlen(folder);
    if (len > OUTDIR_PATH_MAX)
        return false;
    memcpy(prefix, folder, len);
    memcpy(prefix + len, "/", 2);
    size_t i = lower_bound(list, prefix);
    return i < list->n && strncmp(list->files[i].path, prefix, len + 1) == 0;
}
