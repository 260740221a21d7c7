#include "trainer/fingerprint/look.h"

#include "base/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES 65536

const char *sysfile_path(const char *root, const char *path, struct arena *arena)
{
    return path_join(arena, root, path + strspn(path, "/"));
}

static int read_sysfile(int fd, struct buf *out)
{
    char piece[PIECE_BYTES];
    for (;;) {
        ssize_t n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return (int)n;
        if (memchr(piece, '\0', (size_t)n)) {
            errno = EILSEQ;
            return -1;
        }
        buf_add(out, piece, (size_t)n);
        if (out->overflow) {
            errno = EFBIG;
            return -1;
        }
    }
}

static const char *read_open_sysfile(int fd, struct arena *arena)
{
    struct stat st;
    struct buf text = BUF_INIT(SYSFILE_MAX);
    if (fstat(fd, &st) < 0)
        return NULL;
    if (!S_ISREG(st.st_mode)) {
        errno = EINVAL;
        return NULL;
    }
    const char *out = NULL;
    if (read_sysfile(fd, &text) == 0) {
        size_t len = text.len;
        while (len && strchr(" \t\r\n", text.data[len - 1]))
            len--;
        out = arena_strndup(arena, text.data, len);
    }
    buf_release(&text);
    return out;
}

const char *sysfile_read(const char *root, const char *path, struct arena *arena)
{
    int fd = open(sysfile_path(root, path, arena), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    const char *out = read_open_sysfile(fd, arena);
    int saved = errno;
    close(fd);
    errno = saved;
    return out;
}

static const char *trimmed(const char *from, size_t len, struct arena *arena)
{
    while (len && strchr(" \t\r", from[len - 1]))
        len--;
    while (len && strchr(" \t", *from))
        from++, len--;
    if (len >= 2 && (*from == '"' || *from == '\'') && from[len - 1] == *from)
        from++, len -= 2;
    return arena_strndup(arena, from, len);
}

const char *sysfile_field(const char *text, const char *key, char separator, struct arena *arena)
{
    size_t len = strlen(key);
    for (const char *line = text; line && *line;) {
        const char *end = strchrnul(line, '\n'), *at = line + len;
        if ((size_t)(end - line) > len && strncmp(line, key, len) == 0) {
            at += strspn(at, " \t");
            if (*at == separator)
                return trimmed(at + 1, (size_t)(end - at - 1), arena);
        }
        line = *end ? end + 1 : end;
    }
    return NULL;
}

static const char *fault_of(struct looking *at, const char *path, int code)
{
    return arena_printf(at->arena, "cannot read %s: %s", path, strerror(code));
}

/* What only root may read (a serial number) is a fact that others do not have. */
static bool is_no_answer(int code)
{
    return err_is_of_machine(code) && !err_is_of_rights(code) && code != ELOOP;
}

const char *look_read(struct looking *at, const char *path)
{
    const char *text = sysfile_read(at->root, path, at->arena);
    int code = errno;
    if (!text && !at->fault && is_no_answer(code))
        at->fault = fault_of(at, path, code);
    errno = code;
    return text;
}

size_t look_list(struct looking *at, const char *path, struct dir_entry **out)
{
    struct err err = ERR_INIT;
    size_t n = 0;
    if (dir_list(sysfile_path(at->root, path, at->arena), at->arena, out, &n, &err) == 0)
        return n;
    if (!at->fault && err.kind == ERR_IO && is_no_answer(errno))
        at->fault = arena_strdup(at->arena, err.text);
    return 0;
}

/* "cannot read <path>: <why>" */
static struct found unreadable(struct looking *at, const char *path)
{
    return look_unknown(fault_of(at, path, errno));
}

static struct found lacks(struct looking *at, const char *path, const char *what)
{
    return look_unknown(arena_printf(at->arena, "%s has no %s", path, what));
}

struct found look_os(struct looking *at)
{
    static const char path[] = "/etc/os-release";
    const char *text = look_read(at, path);
    if (!text)
        text = look_read(at, "/usr/lib/os-release");
    if (!text)
        return unreadable(at, path);
    const char *name = sysfile_field(text, "PRETTY_NAME", '=', at->arena);
    return name ? look_found(name) : lacks(at, path, "PRETTY_NAME");
}

struct found look_kernel(struct looking *at)
{
    static const char path[] = "/proc/sys/kernel/osrelease";
    const char *text = look_read(at, path);
    return text ? look_found(text) : unreadable(at, path);
}

struct found look_machine(struct looking *at)
{
    static const char path[] = "/sys/class/dmi/id/product_name";
    const char *product = look_read(at, path);
    const char *maker = look_read(at, "/sys/class/dmi/id/sys_vendor");
    if (!product)
        return unreadable(at, path);
    return look_found(maker ? arena_printf(at->arena, "%s %s", maker, product) : product);
}

/* ARM's cpuinfo has numbers for the model instead of a name. */
struct found look_cpu_model(struct looking *at)
{
    static const char path[] = "/proc/cpuinfo";
    const char *text = look_read(at, path);
    if (!text)
        return unreadable(at, path);
    const char *name = sysfile_field(text, "model name", ':', at->arena);
    const char *maker = sysfile_field(text, "CPU implementer", ':', at->arena);
    const char *part = sysfile_field(text, "CPU part", ':', at->arena);
    if (name)
        return look_found(name);
    if (maker && part)
        return look_found(arena_printf(at->arena, "implementer %s part %s", maker, part));
    return lacks(at, path, "model name");
}

/* ---- how many of what: the online CPUs' places in the machine ------------------------------- */

struct cpu {
    long package, core;
};

static int by_place(const void *a, const void *b)
{
    const struct cpu *x = a, *y = b;
    if (x->package != y->package)
        return x->package < y->package ? -1 : 1;
    return (x->core > y->core) - (x->core < y->core);
}

/* A number of the CPU's topology. Nothing is there of one that is offline; a CPU of which only a
 * part can be read would make two cores one. */
static bool read_topology_number(struct looking *at, const char *folder, const char *name,
                                 long *out)
{
    const char *path = path_join(at->arena, folder, name), *text = look_read(at, path);
    char *end;
    if (!text) {
        at->fault = at->fault || errno == ENOENT ? at->fault : fault_of(at, path, errno);
        return false;
    }
    *out = strtol(text, &end, 10);
    if (end == text || *end)
        at->fault = arena_printf(at->arena, "%s is no number", path);
    return true;
}

/* Only a CPU that is online has a topology. Sorted by place. */
static size_t list_cpus(struct looking *at, struct cpu **out)
{
    static const char folder[] = "/sys/devices/system/cpu";
    struct dir_entry *entries;
    size_t n = look_list(at, folder, &entries), found = 0;
    *out = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *digits = entries[i].name + 3;
        if (strncmp(entries[i].name, "cpu", 3) != 0 || !*digits ||
            strspn(digits, "0123456789") != strlen(digits))
            continue;
        struct cpu cpu;
        const char *place = arena_printf(at->arena, "%s/%s/topology", folder, entries[i].name);
        bool package = read_topology_number(at, place, "physical_package_id", &cpu.package);
        bool core = read_topology_number(at, place, "core_id", &cpu.core);
        if (package != core && !at->fault)
            at->fault = arena_printf(at->arena, "%s does not state both package and core", place);
        if (package && core)
            *(struct cpu *)ARENA_PUSH(at->arena, *out, found) = cpu;
    }
    if (found > 1)
        qsort(*out, found, sizeof **out, by_place);
    return found;
}

enum counted { SOCKETS, CORES, THREADS };

static struct found count_cpus(struct looking *at, enum counted what)
{
    struct cpu *cpus;
    size_t n = list_cpus(at, &cpus), counts[] = {0, 0, n};
    for (size_t i = 0; i < n; i++) {
        bool socket = i == 0 || cpus[i].package != cpus[i - 1].package;
        counts[SOCKETS] += socket;
        counts[CORES] += socket || cpus[i].core != cpus[i - 1].core;
    }
    return n == 0 ? look_unknown("/sys/devices/system/cpu does not state this value")
                  : look_found(arena_printf(at->arena, "%zu", counts[what]));
}

struct found look_cpu_sockets(struct looking *at)
{
    return count_cpus(at, SOCKETS);
}

struct found look_cpu_cores(struct looking *at)
{
    return count_cpus(at, CORES);
}

struct found look_cpu_threads(struct looking *at)
{
    return count_cpus(at, THREADS);
}

struct found look_memory(struct looking *at)
{
    static const char path[] = "/proc/meminfo";
    const char *text = look_read(at, path);
    if (!text)
        return unreadable(at, path);
    const char *total = sysfile_field(text, "MemTotal", ':', at->arena);
    if (!total)
        return lacks(at, path, "MemTotal");
    return look_found(arena_printf(at->arena, "%.1f", strtod(total, NULL) / (1024 * 1024)));
}
