/* Is this a container, of what kind, from which image, and what may it use? By what container
 * engines leave in the file system that they make, and by control groups of either version. Inside
 * a control group namespace /proc/1/cgroup says no more than "/", so that mounts and marks are
 * asked as well. */
#include "base/files/file.h"
#include "trainer/fingerprint/look.h"

#include <stdlib.h>
#include <string.h>

#define CGROUP "/proc/1/cgroup"
#define MOUNTS "/proc/self/mountinfo"

/* In this order: who started it stands before what runs it. */
static const struct sign {
    const char *path, *holds; /* it is there, and if not NULL has this in it */
    const char *name;
} signs[] = {
    {"/.singularity.d", NULL, "apptainer"},
    {"/singularity", NULL, "apptainer"},
    {MOUNTS, "/enroot/", "enroot"},
    {MOUNTS, "/pyxis_", "enroot"},
    {"/var/run/secrets/kubernetes.io", NULL, "kubernetes"},
    {CGROUP, "kubepods", "kubernetes"},
    {MOUNTS, "/kubelet/pods/", "kubernetes"},
    {"/run/.containerenv", NULL, "podman"},
    {"/.dockerenv", NULL, "docker"},
    {"/run/systemd/container", "systemd-nspawn", "systemd-nspawn"},
    {"/run/systemd/container", "lxc", "lxc"},
    {"/run/systemd/container", "podman", "podman"},
    {"/run/systemd/container", "docker", "docker"},
    {"/run/host/container-manager", "systemd-nspawn", "systemd-nspawn"},
    {CGROUP, "libpod", "podman"},
    {CGROUP, "docker", "docker"},
    {CGROUP, "systemd-nspawn", "systemd-nspawn"},
    {CGROUP, "lxc", "lxc"},
    {CGROUP, "containerd", "containerd"},
    {MOUNTS, "/containers/storage/", "podman"},
    {MOUNTS, "/docker/containers/", "docker"},
    {MOUNTS, " fuse.lxcfs ", "lxc"},
    {MOUNTS, "io.containerd.", "containerd"},
};

/* Is it mounted where an engine mounts something for a container? "614 600 254:1 ROOT POINT …" The
 * machine that containers run on has their mounts, too, below folders of the engine. */
static bool is_engine_mount(const char *line)
{
    static const char *const points[] = {
        "/", "/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/proc/meminfo", "/proc/cpuinfo"};
    for (int i = 0; i < 4; i++) {
        line += strcspn(line, " \n");
        line += *line == ' ';
    }
    size_t n = strcspn(line, " \n");
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (strlen(points[i]) == n && memcmp(line, points[i], n) == 0)
            return true;
    return false;
}

static bool shows(struct looking *at, const struct sign *s)
{
    if (!s->holds)
        return file_exists(sysfile_path(at->root, s->path, at->arena));
    const char *text = look_read(at, s->path);
    if (text && strcmp(s->path, MOUNTS) == 0) {
        const char *what = s->holds;
        for (const char *line = text; *line;) {
            const char *end = strchrnul(line, '\n');
            if (is_engine_mount(line) && memmem(line, (size_t)(end - line), what, strlen(what)))
                return true;
            line = *end ? end + 1 : end;
        }
        return false;
    }
    return text && strstr(text, s->holds);
}

struct found look_container(struct looking *at)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (shows(at, &signs[i]))
            return (struct found){signs[i].name, NULL};
    return (struct found){"none", NULL};
}

/* ---- its image ------------------------------------------------------------------------------- */

/* podman's: image="docker.io/x/y:1.2" and imageid="8c0e…" */
static const char *podman_image(struct looking *at)
{
    const char *text = look_read(at, "/run/.containerenv");
    const char *image = text ? sysfile_field(text, "image", '=', at->arena) : NULL;
    const char *id = text ? sysfile_field(text, "imageid", '=', at->arena) : NULL;
    if (!image || !*image)
        return NULL;
    return id && *id ? arena_printf(at->arena, "%s (%s)", image, id) : image;
}

static const char *apptainer_image(struct looking *at)
{
    static const char label[] = "org.label-schema.usage.singularity.deffile.from\": \"";
    const char *text = look_read(at, "/.singularity.d/labels.json");
    const char *from = text ? strstr(text, label) : NULL;
    if (!from)
        return NULL;
    from += strlen(label);
    return arena_strndup(at->arena, from, strcspn(from, "\"\n"));
}

/* No engine but podman tells a container its image; whoever starts it can. Of a path the last part
 * is enough: the others are folders of somebody's home. */
static const char *stated_image(struct looking *at)
{
    static const char *const variables[] = {"FPREPORT_IMAGE", "APPTAINER_CONTAINER",
                                            "SINGULARITY_CONTAINER"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *image = getenv(variables[i]);
        if (image && *image)
            return arena_strdup(at->arena, *image == '/' ? path_base(image) : image);
    }
    return NULL;
}

struct found look_container_image(struct looking *at)
{
    const char *kind = look_container(at).value;
    if (strcmp(kind, "none") == 0)
        return (struct found){NULL, "not in a container"};
    const char *image = podman_image(at);
    image = image ? image : apptainer_image(at);
    image = image ? image : stated_image(at);
    return image ? look_found(image)
                 : look_unknown(
                       arena_printf(at->arena, "%s does not show a container its image", kind));
}

/* ---- what it may use ------------------------------------------------------------------------- */

#define GROUPS "/sys/fs/cgroup"

/* A limit is more than no limit looks like: v1 says 2^63 - 4096 for none. */
#define NO_LIMIT 9e18

static double number_in_file(struct looking *at, const char *path)
{
    const char *text = look_read(at, path);
    return text && *text >= '0' && *text <= '9' ? strtod(text, NULL) : 0;
}

/* What the files of one folder allow; 0: no limit. */
typedef double limit_of(struct looking *at, const char *folder);

static double cpus_second(struct looking *at, const char *folder)
{
    const char *max = look_read(at, arena_printf(at->arena, "%s/cpu.max", folder));
    const char *period = max ? strchr(max, ' ') : NULL;
    double each = period ? strtod(period, NULL) : 0;
    return each > 0 ? strtod(max, NULL) / each : 0; /* "max" is 0 */
}

static double cpus_first(struct looking *at, const char *folder)
{
    double each = number_in_file(at, arena_printf(at->arena, "%s/cpu.cfs_period_us", folder));
    return each > 0
               ? number_in_file(at, arena_printf(at->arena, "%s/cpu.cfs_quota_us", folder)) / each
               : 0;
}

static double bytes_second(struct looking *at, const char *folder)
{
    return number_in_file(at, arena_printf(at->arena, "%s/memory.max", folder));
}

static double bytes_first(struct looking *at, const char *folder)
{
    double bytes = number_in_file(at, arena_printf(at->arena, "%s/memory.limit_in_bytes", folder));
    return bytes <= NO_LIMIT ? bytes : 0;
}

static bool is_word_listed(const char *list, size_t n, const char *name)
{
    for (size_t at = 0, len; at < n; at += len + 1) {
        len = strcspn(list + at, ",:");
        if (len == strlen(name) && memcmp(list + at, name, len) == 0)
            return true;
    }
    return n == 0 && !*name;
}

/* The group of this process below the folder of a controller, or with "" of version 2: "0::/a/b"
 * and "4:cpu,cpuacct:/a/b" are "a/b". "": the root, or one outside what is mounted here ("/../x"),
 * of which no file is seen. */
static const char *own_group(struct looking *at, const char *controller)
{
    const char *text = look_read(at, "/proc/self/cgroup");
    for (const char *line = text ? text : ""; *line;) {
        size_t all = strcspn(line, "\n");
        const char *names = memchr(line, ':', all);
        const char *group = names ? strstr(names + 1, ":/") : NULL;
        if (group && group < line + all &&
            is_word_listed(names + 1, (size_t)(group - names - 1), controller)) {
            group = arena_strndup(at->arena, group + 2, (size_t)(line + all - group - 2));
            return strncmp(group, "..", 2) == 0 ? "" : group;
        }
        line += all + (line[all] == '\n');
    }
    return "";
}

/* A group has what its own files and those of all above it leave. */
static double least_limit(struct looking *at, const char *root, const char *group, limit_of *limit)
{
    double least = limit(at, root);
    for (size_t n = 0; group[n]; n++) {
        if (group[n + 1] != '/' && group[n + 1])
            continue;
        double one = limit(at, arena_printf(at->arena, "%s/%.*s", root, (int)n + 1, group));
        if (one > 0 && (least <= 0 || one < least))
            least = one;
    }
    return least;
}

struct found look_cgroup(struct looking *at)
{
    bool second = file_exists(sysfile_path(at->root, GROUPS "/cgroup.controllers", at->arena));
    bool first = file_exists(sysfile_path(at->root, GROUPS "/memory", at->arena)) ||
                 file_exists(sysfile_path(at->root, GROUPS "/cpu", at->arena));
    if (!first && !second)
        return (struct found){NULL, "no control groups in /sys/fs/cgroup"};
    double cpus = second ? least_limit(at, GROUPS, own_group(at, ""), cpus_second)
                         : least_limit(at, GROUPS "/cpu", own_group(at, "cpu"), cpus_first);
    double bytes = second ? least_limit(at, GROUPS, own_group(at, ""), bytes_second)
                          : least_limit(at, GROUPS "/memory", own_group(at, "memory"), bytes_first);
    const char *text = second ? "v2" : "v1";
    if (cpus > 0)
        text = arena_printf(at->arena, "%s, %g CPUs", text, cpus);
    if (bytes > 0)
        text = arena_printf(at->arena, "%s, %.1f GiB", text, bytes / (1024.0 * 1024 * 1024));
    return (struct found){
        cpus > 0 || bytes > 0 ? text : arena_printf(at->arena, "%s, no limits", text), NULL};
}
