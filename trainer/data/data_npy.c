/*
 * data_npy: NumPy's array file, as far as token files need it.
 *
 *   "\x93NUMPY"  major  minor  length (uint16 in version 1, uint32 in 2 and 3)  header  elements
 *
 * The header is a Python dictionary with exactly three keys, padded with spaces and a newline:
 * {'descr': '<u2', 'fortran_order': False, 'shape': (1000,), }
 */
#include "trainer/data/data_file.h"

#include <stdbool.h>
#include <string.h>

#define MAGIC "\x93NUMPY"
#define MAGIC_BYTES 6
#define HEADER_MAX 65536

/* The dictionary as it is being read. */
struct npy {
    const char *path;
    const char *at, *end;
    const struct token_format *format;
    int expected; /* dimensions */
    bool have_order;
    bool have_shape;
    int dimensions;
    uint64_t shape[NPY_DIMENSIONS_MAX];
    struct err *err;
};

static int npy_refuse(struct npy *n, const char *what)
{
    return err_set(n->err, ERR_INPUT, "%s: not a usable .npy file: %s", n->path, what);
}

static void skip_spaces(struct npy *n)
{
    while (n->at < n->end && (*n->at == ' ' || *n->at == '\n'))
        n->at++;
}

/* Step over `word` if it is next. */
static bool take_npy_word(struct npy *n, const char *word)
{
    size_t len = strlen(word);
    skip_spaces(n);
    if ((size_t)(n->end - n->at) < len || memcmp(n->at, word, len) != 0)
        return false;
    n->at += len;
    return true;
}

static int read_descr(struct npy *n)
{
    if (!take_npy_word(n, "'"))
        return npy_refuse(n, "descr is not a string, expected one like '<u2'");
    const char *quote = memchr(n->at, '\'', n->end - n->at);
    if (!quote || quote - n->at > 16)
        return npy_refuse(n, "descr does not end");
    n->format = token_format_of_npy(n->at, quote - n->at);
    if (!n->format)
        return err_set(n->err, ERR_INPUT,
                       "%s: elements are '%.*s', expected little-endian integers of 1 to 8 bytes "
                       "('<u2', '<i4', '<i8', …)",
                       n->path, (int)(quote - n->at), n->at);
    n->at = quote + 1;
    return 0;
}

static int read_order(struct npy *n)
{
    n->have_order = true;
    if (take_npy_word(n, "False"))
        return 0;
    if (take_npy_word(n, "True")) /* the same for one dimension */
        return n->expected == 1 ? 0 : npy_refuse(n, "fortran_order is True, expected False");
    return npy_refuse(n, "fortran_order is neither True nor False");
}

static int refuse_dimensions(struct npy *n)
{
    return npy_refuse(n, n->expected == 1 ? "expected one dimension, like shape (1000,)"
                                          : "expected another number of dimensions");
}

static int read_dimension(struct npy *n)
{
    skip_spaces(n);
    const char *first = n->at;
    uint64_t size = 0;
    for (; n->at < n->end && *n->at >= '0' && *n->at <= '9'; n->at++) {
        if (size > (UINT64_MAX - 9) / 10)
            return npy_refuse(n, "shape is larger than any file");
        size = size * 10 + (uint64_t)(*n->at - '0');
    }
    if (n->at == first || n->dimensions == n->expected)
        return refuse_dimensions(n);
    n->shape[n->dimensions++] = size;
    return 0;
}

static int read_npy_shape(struct npy *n)
{
    n->have_shape = true;
    if (!take_npy_word(n, "("))
        return npy_refuse(n, "shape is not a tuple");
    for (bool comma = true; comma; comma = take_npy_word(n, ",")) {
        if (n->dimensions > 0 && take_npy_word(n, ")"))
            return 0;
        if (read_dimension(n) < 0)
            return -1;
    }
    return n->dimensions > 1 && take_npy_word(n, ")") ? 0 : refuse_dimensions(n);
}

static const struct npy_key {
    const char *quoted;
    int (*read)(struct npy *);
} keys[] = {{"'descr'", read_descr}, {"'fortran_order'", read_order}, {"'shape'", read_npy_shape}};
#define KEYS (sizeof keys / sizeof *keys)

static int read_entry(struct npy *n, bool seen[KEYS])
{
    for (size_t i = 0; i < KEYS; i++) {
        if (!take_npy_word(n, keys[i].quoted))
            continue;
        if (seen[i])
            return npy_refuse(n, "a key is there twice");
        seen[i] = true;
        if (!take_npy_word(n, ":"))
            return npy_refuse(n, "expected ':' after a key");
        return keys[i].read(n);
    }
    return npy_refuse(n, "expected the keys 'descr', 'fortran_order' and 'shape'");
}

static int read_dictionary(struct npy *n)
{
    bool seen[KEYS] = {false};
    if (!take_npy_word(n, "{"))
        return npy_refuse(n, "the header is not a dictionary");
    for (bool closed = take_npy_word(n, "}"); !closed;) {
        if (read_entry(n, seen) < 0)
            return -1;
        bool comma = take_npy_word(n, ",");
        closed = take_npy_word(n, "}");
        if (!comma && !closed)
            return npy_refuse(n, "expected ',' or '}' in the header");
    }
    skip_spaces(n);
    if (n->at != n->end)
        return npy_refuse(n, "text after the header's '}'");
    if (!n->format || !n->have_order || !n->have_shape)
        return npy_refuse(n, "expected the keys 'descr', 'fortran_order' and 'shape'");
    return 0;
}

/* Find where the dictionary lies. */
static int frame(struct npy *n, const unsigned char *bytes, size_t len)
{
    if (len < MAGIC_BYTES + 4 || memcmp(bytes, MAGIC, MAGIC_BYTES) != 0)
        return npy_refuse(n, "it does not begin with \\x93NUMPY");
    int major = bytes[6], minor = bytes[7];
    if (major < 1 || major > 3 || minor != 0)
        return err_set(n->err, ERR_INPUT, "%s: .npy version %d.%d, expected 1.0, 2.0 or 3.0",
                       n->path, major, minor);
    size_t before = major == 1 ? 10 : 12;
    if (len < before)
        return npy_refuse(n, "it ends within the header");
    size_t header = bytes[8] | (size_t)bytes[9] << 8;
    if (major > 1)
        header |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (header > HEADER_MAX)
        return err_set(n->err, ERR_INPUT, "%s: header of %zu bytes, at most %d are read", n->path,
                       header, HEADER_MAX);
    if (header > len - before)
        return npy_refuse(n, "it ends within the header");
    n->at = (const char *)bytes + before;
    n->end = n->at + header;
    return 0;
}

/* Of all dimensions; more than any file has where they overflow. */
static uint64_t elements_of(const struct npy *n)
{
    uint64_t elements = 1;
    for (int d = 0; d < n->dimensions; d++)
        if (__builtin_mul_overflow(elements, n->shape[d], &elements))
            return UINT64_MAX;
    return elements;
}

static int npy_parse(struct token_file *f, int dimensions, size_t *shape, const char *path,
                     struct err *err)
{
    struct npy n = {.path = path, .expected = dimensions, .err = err};
    if (frame(&n, f->map, f->map_bytes) < 0 || read_dictionary(&n) < 0)
        return -1;
    f->bytes = (const unsigned char *)n.end;
    size_t left = f->map_bytes - (size_t)(f->bytes - (const unsigned char *)f->map);
    uint64_t elements = elements_of(&n);
    if (n.dimensions != dimensions)
        return refuse_dimensions(&n);
    if (elements != left / n.format->bytes || left % n.format->bytes != 0)
        return err_set(err, ERR_INPUT,
                       "%s: the header promises %llu %s elements, but %zu bytes follow it", path,
                       (unsigned long long)elements, n.format->name, left);
    for (int d = 0; shape && d < dimensions; d++)
        shape[d] = n.shape[d];
    f->tokens = elements;
    f->format = n.format;
    return 0;
}

int npy_open_shaped(struct token_file *out, int dimensions, size_t *shape, const char *path,
                    struct err *err)
{
    if (token_file_map(out, path, err) < 0)
        return -1;
    if (npy_parse(out, dimensions, shape, path, err) == 0)
        return 0;
    token_file_unmap(out);
    return -1;
}

int npy_open(struct token_file *out, const char *path, struct err *err)
{
    return npy_open_shaped(out, 1, NULL, path, err);
}
