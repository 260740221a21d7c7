#include "trainer/data/data_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* memcpy, because tokens of a hostile or Megatron file may lie at any address. The project runs on
 * little-endian machines (x86-64, AArch64); the static assertion says so. */
#define READER(name, type)                         \
    static int64_t name(const unsigned char *from) \
    {                                              \
        type value;                                \
        memcpy(&value, from, sizeof value);        \
        return (int64_t)value;                     \
    }
READER(read_uint8, uint8_t)
READER(read_int8, int8_t)
READER(read_int16, int16_t)
READER(read_uint16, uint16_t)
READER(read_int32, int32_t)
READER(read_uint32, uint32_t)
READER(read_int64, int64_t)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "token files are read in place");

static const struct token_format formats[] = {
    {"uint8", "|u1", 1, 1, read_uint8},   {"int8", "|i1", 2, 1, read_int8},
    {"int16", "<i2", 3, 2, read_int16},   {"int32", "<i4", 4, 4, read_int32},
    {"int64", "<i8", 5, 8, read_int64},   {"uint16", "<u2", 8, 2, read_uint16},
    {"uint32", "<u4", 0, 4, read_uint32},
};
#define FORMATS (sizeof formats / sizeof *formats)

const struct token_format *token_format_of_npy(const char *descr, size_t n)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strlen(formats[i].npy_descr) == n && memcmp(formats[i].npy_descr, descr, n) == 0)
            return &formats[i];
    return NULL;
}

const struct token_format *token_format_of_megatron(int code)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (code != 0 && formats[i].megatron_code == code)
            return &formats[i];
    return NULL;
}

static int map_open_file(struct token_file *out, int fd, const char *path, struct err *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_INPUT, "%s: not a regular file", path);
    if (st.st_size == 0)
        return err_set(err, ERR_INPUT, "%s: the file is empty", path);
    void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED)
        return err_errno(err, ERR_IO, "%s: cannot map", path);
    *out = (struct token_file){.map = map, .map_bytes = (size_t)st.st_size};
    return 0;
}

int token_file_map(struct token_file *out, const char *path, struct err *err)
{
    *out = (struct token_file){0};
    /* O_NONBLOCK: opening a FIFO must not wait for a writer */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    int rc = map_open_file(out, fd, path, err);
    close(fd);
    return rc;
}

void token_file_unmap(struct token_file *f)
{
    if (f->map)
        munmap(f->map, f->map_bytes);
    f->map = NULL;
}
