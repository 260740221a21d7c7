#include "trainer/fingerprint/identity.h"

#include "base/files/dir.h"
#include "trainer/fingerprint/sysfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

/* ---- moments --------------------------------------------------------------------------------- */

struct found look_taken(struct looking *at)
{
    time_t now = time(NULL);
    struct tm t;
    char text[64];
    if (!gmtime_r(&now, &t) || strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &t) == 0)
        return look_unknown("the clock cannot be read");
    return look_found(arena_strdup(at->arena, text));
}

struct found look_uptime(struct looking *at)
{
    const char *text = look_read(at, "/proc/uptime");
    size_t digits = text ? strspn(text, "0123456789") : 0;
    return digits ? look_found(arena_strndup(at->arena, text, digits))
                  : look_unknown("/proc/uptime does not state this value");
}

struct found look_memory_free(struct looking *at)
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
    if (!list.value)
        return one;
    return look_found(arena_printf(at->arena, "%s, %s", list.value, one.value));
}

struct found look_host(struct looking *at)
{
    struct utsname name;
    if (uname(&name) < 0)
        return look_unknown("uname fails");
    return hashed(at, FACT_HOST, name.nodename);
}

struct found identity_list(struct looking *at, enum fact_id kind, const char *list)
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

struct found look_machine_id(struct looking *at)
{
    return hashed_file(at, FACT_MACHINE_ID, "/etc/machine-id");
}

struct found look_machine_serial(struct looking *at)
{
    return hashed_file(at, FACT_MACHINE_SERIAL, "/sys/class/dmi/id/product_serial");
}

struct found look_network_address(struct looking *at)
{
    struct found list = {NULL, "/sys/class/net contains no physical network adapter"};
    struct dir_entry *entries;
    size_t n = look_adapters(at, &entries);
    for (size_t i = 0; i < n; i++) {
        const char *path = arena_printf(at->arena, LOOK_ADAPTERS "/%s/address", entries[i].name);
        const char *address = look_read(at, path);
        if (address && *address)
            list = add_identity(at, FACT_NETWORK_ADDRESS, list, address);
    }
    return list;
}

struct found look_infiniband_guid(struct looking *at)
{
    struct found list = {NULL, "no adapter in " LOOK_INFINIBAND};
    struct dir_entry *entries;
    size_t n = look_folder(at, LOOK_INFINIBAND, &entries);
    for (size_t i = 0; i < n; i++) {
        const char *path =
            arena_printf(at->arena, LOOK_INFINIBAND "/%s/node_guid", entries[i].name);
        const char *guid = look_read(at, path);
        if (guid && *guid)
            list = add_identity(at, FACT_INFINIBAND_GUID, list, guid);
    }
    return list;
}
