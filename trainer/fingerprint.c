#include "trainer/fingerprint.h"

#include "base/archive.h"
#include "base/repo.h"
#include "trainer/accelerator.h"
#include "trainer/look.h"
#include "trainer/nvml.h"

#include <gnu/libc-version.h>
#include <string.h>
#include <sys/utsname.h>

static struct found given(const char *value, const char *otherwise)
{
    return (struct found){value, value ? NULL : otherwise};
}

/* ---- accelerators: asked once, before the table is walked ----------------------------------- */

static struct found of_cards(struct accelerator_fact f)
{
    return (struct found){f.value, f.unknown};
}

static struct found accelerator_vendor(struct looking *at)
{
    return of_cards(at->cards.vendor);
}

static struct found accelerator_model(struct looking *at)
{
    return of_cards(at->cards.model);
}

static struct found accelerator_count(struct looking *at)
{
    return of_cards(at->cards.count);
}

static struct found accelerator_memory(struct looking *at)
{
    return of_cards(at->cards.memory_mib);
}

static struct found accelerator_driver(struct looking *at)
{
    return of_cards(at->cards.driver);
}

static struct found accelerator_runtime(struct looking *at)
{
    return of_cards(at->cards.runtime);
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

static struct found framework_origin(struct looking *at)
{
    return at->repo.reason ? (struct found){NULL, at->repo.reason}
                           : given(at->repo.url, "the repository has no remote 'origin'");
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
    return given(at->options->blas, "no BLAS of ours is used");
}

static struct found zstd(struct looking *at)
{
    (void)at;
    const char *version = archive_zstd_library_version();
    return given(*version ? version : NULL, "libarchive does not tell");
}

static struct found libarchive(struct looking *at)
{
    (void)at;
    return given(archive_library_version(), NULL);
}

static struct found libgit2(struct looking *at)
{
    return given(repo_library_version(at->arena), NULL);
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
                                               ? "the case names no SHA-256 of its data"
                                               : "no case was given");
}

typedef struct found look(struct looking *at);

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
    [FACT_ACCELERATOR_VENDOR] = accelerator_vendor,
    [FACT_ACCELERATOR_MODEL] = accelerator_model,
    [FACT_ACCELERATOR_COUNT] = accelerator_count,
    [FACT_ACCELERATOR_MEMORY] = accelerator_memory,
    [FACT_ACCELERATOR_DRIVER] = accelerator_driver,
    [FACT_ACCELERATOR_RUNTIME] = accelerator_runtime,
    [FACT_NETWORK] = look_network,
    [FACT_INFINIBAND] = look_infiniband,
    [FACT_CONTAINER] = look_container,
    [FACT_CONTAINER_IMAGE] = look_container_image,
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
};

static void ask_cards(struct looking *at)
{
    struct accelerators cards;
    accelerators_open(&cards, at->options->library ? at->options->library : NVML_LIBRARY,
                      at->arena);
    accelerators_describe(&cards, at->arena, &at->cards);
    accelerators_close(&cards);
}

/* One line of printable text, whatever a file or a driver said. */
static const char *clean(const char *text, struct arena *arena)
{
    char *copy = arena_strndup(arena, text, strnlen(text, FACT_VALUE_MAX));
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    return copy;
}

void fingerprint_collect(const struct fingerprint_options *options, struct arena *arena,
                         struct facts *out)
{
    struct looking at = {options, options->root ? options->root : "/", arena, .repo = {0}};
    ask_cards(&at);
    repo_describe(options->framework ? options->framework : ".", arena, &at.repo);
    *out = (struct facts){.items = arena_array(arena, FACT_KINDS, sizeof *out->items),
                          .n = FACT_KINDS};
    for (size_t i = 0; i < FACT_KINDS; i++) {
        struct found found = looks[i](&at);
        out->items[i] = (struct fact){
            .key = fact_kinds[i].key,
            .value = found.value ? clean(found.value, arena) : NULL,
            .unknown = found.value ? NULL : clean(found.unknown, arena),
        };
    }
}
