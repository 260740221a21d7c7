#include "trainer/fingerprint/fingerprint.h"

#include "base/files/dir.h"
#include "base/foreign.h"
#include "base/git/repo.h"
#include "base/sealed/archive.h"
#include "trainer/cards/nvml.h"
#include "trainer/fingerprint/look.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

/* Which machine this is, as salted hashes (trainer/cards/salt.h), and what changes from
 * moment to moment: readers of the fingerprint's unstable facts from the system's files, as look.h
 * has those of the stable ones. */

/* ---- moments --------------------------------------------------------------------------------- */

static struct found look_taken(struct looking *at)
{
    time_t now = time(NULL);
    struct tm t;
    char text[64];
    if (!gmtime_r(&now, &t) || strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &t) == 0)
        return look_unknown("the clock cannot be read");
    return look_found(arena_strdup(at->arena, text));
}

static struct found look_uptime(struct looking *at)
{
    const char *text = look_read(at, "/proc/uptime");
    size_t digits = text ? strspn(text, "0123456789") : 0;
    return digits ? look_found(arena_strndup(at->arena, text, digits))
                  : look_unknown("/proc/uptime does not state this value");
}

static struct found look_memory_free(struct looking *at)
{
    const char *text = look_read(at, "/proc/meminfo");
    const char *free = text ? sysfile_field(text, "MemAvailable", ':', at->arena) : NULL;
    return free ? look_found(arena_printf(at->arena, "%.1f", strtod(free, NULL) / (1024 * 1024)))
                : look_unknown("/proc/meminfo does not state this value");
}

/* ---- names ----------------------------------------------------------------------------------- */

/* What makers leave in place of a serial number; two machines would look the same. */
static bool is_placeholder(const char *text)
{
    static const char *const placeholders[] = {"",
                                               "0",
                                               "none",
                                               "n/a",
                                               "[n/a]",
                                               "unknown",
                                               "default string",
                                               "to be filled by o.e.m.",
                                               "not specified",
                                               "system serial number",
                                               "00000000-0000-0000-0000-000000000000",
                                               "00:00:00:00:00:00"};
    for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++)
        if (strcasecmp(text, placeholders[i]) == 0)
            return true;
    return false;
}

/* As its hash, or why there is none. */
static struct found hashed(struct looking *at, enum fact_id kind, const char *text)
{
    if (is_placeholder(text))
        return look_unknown(arena_printf(at->arena, "the value '%s' is a placeholder", text));
    return at->salt.hex ? look_found(salt_hash(&at->salt, fact_kinds[kind].key, text, at->arena))
                        : look_unknown(at->salt.reason);
}

/* Several are joined by ", ". */
static struct found add_identity(struct looking *at, enum fact_id kind, struct found list,
                                 const char *text)
{
    struct found one = hashed(at, kind, text);
    if (!one.value)
        return list.value ? list : one;
    return !list.value ? one : look_found(arena_printf(at->arena, "%s, %s", list.value, one.value));
}

static struct found look_host(struct looking *at)
{
    struct utsname name;
    return uname(&name) < 0 ? look_unknown("uname fails") : hashed(at, FACT_HOST, name.nodename);
}

/* The names of a list "a, b", each hashed; "-" stays. */
static struct found identity_list(struct looking *at, enum fact_id kind, const char *list)
{
    struct found out = {NULL, NULL};
    for (const char *name = list; *name;) {
        size_t n = strcspn(name, ",");
        out = add_identity(at, kind, out, arena_strndup(at->arena, name, n));
        name += n;
        name += strspn(name, ", ");
    }
    return out.value || out.unknown ? out : look_unknown("no card reports this value");
}

static struct found hashed_file(struct looking *at, enum fact_id kind, const char *path)
{
    const char *text = look_read(at, path);
    if (!text)
        return look_unknown(arena_printf(at->arena, "cannot read %s: %s", path, strerror(errno)));
    return hashed(at, kind, text);
}

static struct found look_machine_id(struct looking *at)
{
    return hashed_file(at, FACT_MACHINE_ID, "/etc/machine-id");
}

static struct found look_machine_serial(struct looking *at)
{
    return hashed_file(at, FACT_MACHINE_SERIAL, "/sys/class/dmi/id/product_serial");
}

/* What this file of each of them holds. */
static struct found hashed_files(struct looking *at, enum fact_id kind, const char *none,
                                 const char *folder, const struct dir_entry *entries, size_t n,
                                 const char *file)
{
    struct found list = {NULL, none};
    for (size_t i = 0; i < n; i++) {
        const char *path = arena_printf(at->arena, "%s/%s/%s", folder, entries[i].name, file);
        const char *text = look_read(at, path);
        if (text && *text)
            list = add_identity(at, kind, list, text);
    }
    return list;
}

static struct found look_network_address(struct looking *at)
{
    static const char none[] = "/sys/class/net contains no physical network adapter";
    struct dir_entry *entries;
    size_t n = look_adapters(at, &entries);
    return hashed_files(at, FACT_NETWORK_ADDRESS, none, LOOK_ADAPTERS, entries, n, "address");
}

static struct found look_infiniband_guid(struct looking *at)
{
    static const char none[] = "no adapter in " LOOK_INFINIBAND;
    struct dir_entry *entries;
    size_t n = look_folder(at, LOOK_INFINIBAND, &entries);
    return hashed_files(at, FACT_INFINIBAND_GUID, none, LOOK_INFINIBAND, entries, n, "node_guid");
}

static struct found given(const char *value, const char *otherwise)
{
    return (struct found){value, value ? NULL : otherwise};
}

/* ---- accelerators: asked once, before the table is walked ----------------------------------- */

/* Names are told plain, and hashed one by one. */
static struct found of_cards(struct looking *at, enum fact_id id)
{
    struct accelerator_fact f = at->cards.of[id];
    return f.value && fact_kinds[id].class == FACT_NAMES ? identity_list(at, id, f.value)
                                                         : (struct found){f.value, f.unknown};
}

/* ---- the framework's repository, also asked once --------------------------------------------- */

static struct found framework_commit(struct looking *at)
{
    return at->repo.reason ? (struct found){NULL, at->repo.reason}
                           : given(at->repo.commit, "the repository has no commit yet");
}

static struct found framework_tree(struct looking *at)
{
    return at->repo.reason ? (struct found){NULL, at->repo.reason}
                           : given(at->repo.dirty ? "dirty" : "clean", NULL);
}

/* "/home/ada/fw", "../fw" and "file:…", but neither "https://…" nor "host:fw". */
static bool is_of_this_machine(const char *url)
{
    const char *colon = strchr(url, ':'), *slash = strchr(url, '/');
    return strncmp(url, "file:", 5) == 0 || !colon || (slash && slash < colon);
}

static struct found framework_origin(struct looking *at)
{
    if (at->repo.reason)
        return (struct found){NULL, at->repo.reason};
    if (at->repo.url && is_of_this_machine(at->repo.url))
        return given(NULL, "the remote 'origin' is a local folder, so its path is not recorded");
    return given(at->repo.url, "the repository has no remote 'origin'");
}

/* ---- this program --------------------------------------------------------------------------- */

static struct found architecture(struct looking *at)
{
    struct utsname name;
    return uname(&name) < 0 ? given(NULL, "uname fails")
                            : given(arena_strdup(at->arena, name.machine), NULL);
}

static struct found libc(struct looking *at)
{
    return given(arena_printf(at->arena, "glibc %s", gnu_get_libc_version()), NULL);
}

static struct found blas(struct looking *at)
{
    const char *why = at->options->no_blas;
    return given(at->options->blas, why ? why : "fpreport's own BLAS is not used");
}

static struct found zstd(struct looking *at)
{
    (void)at;
    const char *version = archive_zstd_library_version();
    return version ? given(*version ? version : NULL, "libarchive does not state its version")
                   : given(NULL, "this program is built without zstd");
}

static struct found libarchive(struct looking *at)
{
    (void)at;
    return given(archive_library_version(), "this program is built without libarchive");
}

static struct found libgit2(struct looking *at)
{
    return given(repo_library_version(at->arena), "this program is built without libgit2");
}

static struct found fpreport(struct looking *at)
{
    (void)at;
    return given(FPREPORT_VERSION, NULL);
}

static struct found case_sha256(struct looking *at)
{
    return given(at->options->case_sha256, "no case was given");
}

static struct found data_sha256(struct looking *at)
{
    return given(at->options->data_sha256, at->options->case_sha256
                                               ? "the case states no SHA-256 of its data"
                                               : "no case was given");
}

typedef struct found look(struct looking *at);

/* What is not here is told by the accelerators. */
static look *const looks[FACT_KINDS] = {
    [FACT_OS] = look_os,
    [FACT_KERNEL] = look_kernel,
    [FACT_ARCHITECTURE] = architecture,
    [FACT_MACHINE] = look_machine,
    [FACT_CPU_MODEL] = look_cpu_model,
    [FACT_CPU_SOCKETS] = look_cpu_sockets,
    [FACT_CPU_CORES] = look_cpu_cores,
    [FACT_CPU_THREADS] = look_cpu_threads,
    [FACT_MEMORY] = look_memory,
    [FACT_ACCELERATOR_NUMA] = look_accelerator_numa,
    [FACT_NETWORK] = look_network,
    [FACT_INFINIBAND] = look_infiniband,
    [FACT_CONTAINER] = look_container,
    [FACT_CONTAINER_IMAGE] = look_container_image,
    [FACT_CGROUP] = look_cgroup,
    [FACT_FRAMEWORK_COMMIT] = framework_commit,
    [FACT_FRAMEWORK_TREE] = framework_tree,
    [FACT_FRAMEWORK_ORIGIN] = framework_origin,
    [FACT_LIBC] = libc,
    [FACT_BLAS] = blas,
    [FACT_ZSTD] = zstd,
    [FACT_LIBARCHIVE] = libarchive,
    [FACT_LIBGIT2] = libgit2,
    [FACT_FPREPORT] = fpreport,
    [FACT_CASE_SHA256] = case_sha256,
    [FACT_DATA_SHA256] = data_sha256,
    [FACT_TAKEN] = look_taken,                     /* "2026-11-22T15:00:00Z" */
    [FACT_UPTIME] = look_uptime,                   /* whole seconds */
    [FACT_MEMORY_FREE] = look_memory_free,         /* MemAvailable in GiB, one decimal */
    [FACT_HOST] = look_host,                       /* uname's */
    [FACT_MACHINE_ID] = look_machine_id,           /* /etc/machine-id */
    [FACT_MACHINE_SERIAL] = look_machine_serial,   /* DMI; the owner of the machine may read it */
    [FACT_NETWORK_ADDRESS] = look_network_address, /* adapters that have a device behind them */
    [FACT_INFINIBAND_GUID] = look_infiniband_guid,
};

/* One line of text, whatever a file or a driver said. */
static const char *clean(const char *text, struct arena *arena)
{
    return foreign_line(arena, text, FACT_VALUE_MAX);
}

static struct found look_for(struct looking *at, look *fact)
{
    at->fault = NULL;
    struct found found = fact(at);
    return at->fault ? look_unknown(at->fault) : found;
}

void fingerprint_collect(const struct fingerprint_options *options, struct arena *arena,
                         struct facts *out)
{
    struct looking at = {options, options->root ? options->root : "/", arena, .repo = {0}};
    struct accelerators cards;
    accelerators_open(&cards, options->library ? options->library : NVML_LIBRARY, options->salt,
                      &options->declared, arena);
    accelerators_describe(&cards, arena, &at.cards);
    at.salt = cards.salt;
    accelerators_close(&cards);
    repo_describe(options->framework ? options->framework : ".", arena, &at.repo);
    *out = (struct facts){.items = arena_array(arena, FACT_KINDS, sizeof *out->items),
                          .unstable = arena_array(arena, FACT_KINDS, sizeof *out->unstable),
                          .salt = at.salt.id};
    for (enum fact_id i = 0; i < FACT_KINDS; i++) {
        struct found found = looks[i] ? look_for(&at, looks[i]) : of_cards(&at, i);
        bool unstable = fact_is_unstable(fact_kinds[i].class);
        struct fact *list = unstable ? out->unstable : out->items;
        list[unstable ? out->n_unstable++ : out->n++] = (struct fact){
            .key = fact_kinds[i].key,
            .value = found.value ? clean(found.value, arena) : NULL,
            .unknown = found.value ? NULL : clean(found.unknown, arena),
        };
    }
}
