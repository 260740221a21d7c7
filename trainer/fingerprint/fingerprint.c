#include "trainer/fingerprint/fingerprint.h"

#include "base/foreign.h"
#include "base/git/repo.h"
#include "base/sealed/archive.h"
#include "trainer/cards/nvml.h"
#include "trainer/fingerprint/identity.h"
#include "trainer/fingerprint/look.h"

#include <gnu/libc-version.h>
#include <string.h>
#include <sys/utsname.h>

static struct found given(const char *value, const char *otherwise)
{
    return (struct found){value, value ? NULL : otherwise};
}

/* ---- accelerators: asked once, before the table is walked ----------------------------------- */

/* Names are told plain, and hashed one by one. */
static struct found of_cards(struct looking *at, enum fact_id id)
{
    struct accelerator_fact f = at->cards.of[id];
    if (f.value && fact_kinds[id].class == FACT_NAMES)
        return identity_list(at, id, f.value);
    return (struct found){f.value, f.unknown};
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
    if (uname(&name) < 0)
        return given(NULL, "uname fails");
    return given(arena_strdup(at->arena, name.machine), NULL);
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
    [FACT_TAKEN] = look_taken,
    [FACT_UPTIME] = look_uptime,
    [FACT_MEMORY_FREE] = look_memory_free,
    [FACT_HOST] = look_host,
    [FACT_MACHINE_ID] = look_machine_id,
    [FACT_MACHINE_SERIAL] = look_machine_serial,
    [FACT_NETWORK_ADDRESS] = look_network_address,
    [FACT_INFINIBAND_GUID] = look_infiniband_guid,
};

static void ask_cards(struct looking *at)
{
    struct accelerators cards;
    accelerators_open(&cards, at->options->library ? at->options->library : NVML_LIBRARY,
                      at->options->salt, &at->options->declared, at->arena);
    accelerators_describe(&cards, at->arena, &at->cards);
    at->salt = cards.salt;
    accelerators_close(&cards);
}

/* One line of text, whatever a file or a driver said. */
static const char *clean(const char *text, struct arena *arena)
{
    return foreign_line(arena, text, FACT_VALUE_MAX);
}

static void add_found_fact(struct facts *out, enum fact_id id, struct found found,
                           struct arena *arena)
{
    bool unstable = fact_is_unstable(fact_kinds[id].class);
    struct fact *list = unstable ? out->unstable : out->items;
    list[unstable ? out->n_unstable++ : out->n++] = (struct fact){
        .key = fact_kinds[id].key,
        .value = found.value ? clean(found.value, arena) : NULL,
        .unknown = found.value ? NULL : clean(found.unknown, arena),
    };
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
    ask_cards(&at);
    repo_describe(options->framework ? options->framework : ".", arena, &at.repo);
    *out = (struct facts){.items = arena_array(arena, FACT_KINDS, sizeof *out->items),
                          .unstable = arena_array(arena, FACT_KINDS, sizeof *out->unstable),
                          .salt = at.salt.id};
    for (enum fact_id i = 0; i < FACT_KINDS; i++)
        add_found_fact(out, i, looks[i] ? look_for(&at, looks[i]) : of_cards(&at, i), arena);
}
