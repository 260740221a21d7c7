/* Adapters: Ethernet from /sys/class/net, InfiniBand (and RoCE) from /sys/class/infiniband, and
 * where cards sit beside them. The kernel's Documentation/ABI has the files. */
#include "trainer/fingerprint/look.h"

#include "base/files/dir.h"
#include "base/files/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST_MAX 64 /* adapters, and ports of one */

size_t look_folder(struct looking *at, const char *path, struct dir_entry **out)
{
    size_t n = look_list(at, path, out);
    return n < LIST_MAX ? n : LIST_MAX;
}

static const char *file_in(struct looking *at, const char *folder, const char *name)
{
    const char *text = look_read(at, path_join(at->arena, folder, name));
    return text && *text ? text : NULL;
}

/* The text with `item` behind it, where there is one. */
static const char *with(const char *text, const char *between, const char *item,
                        struct arena *arena)
{
    return item ? arena_printf(arena, "%s%s%s", text, between, item) : text;
}

static const char *append_item(const char *list, const char *item, struct arena *arena)
{
    return list ? arena_printf(arena, "%s, %s", list, item) : item;
}

/* The kernel says -1 where there is one node only. */
static const char *numa_of(struct looking *at, const char *device)
{
    const char *node = file_in(at, device, "numa_node");
    return node && strtol(node, NULL, 10) >= 0 ? node : NULL;
}

/* ---- Ethernet -------------------------------------------------------------------------------- */

/* "mlx5_core", from where the driver's link points. */
static const char *driver_of(struct looking *at, const char *adapter)
{
    char target[512];
    const char *link = arena_printf(at->arena, "%s/device/driver", adapter);
    ssize_t n = readlink(sysfile_path(at->root, link, at->arena), target, sizeof target - 1);
    if (n <= 0)
        return NULL;
    target[n] = '\0';
    return arena_printf(at->arena, "(%s)", path_base(target));
}

/* A machine with containers has hundreds without a device ("cali…", "veth…"), which sort before
 * "eth0": the limit is for those that have one. */
size_t look_adapters(struct looking *at, struct dir_entry **out)
{
    struct dir_entry *entries;
    size_t all = look_list(at, LOOK_ADAPTERS, &entries), n = 0;
    for (size_t i = 0; i < all && n < LIST_MAX; i++) {
        const char *device = arena_printf(at->arena, LOOK_ADAPTERS "/%s/device", entries[i].name);
        if (file_exists(sysfile_path(at->root, device, at->arena)))
            entries[n++] = entries[i];
    }
    *out = entries;
    return n;
}

static const char *adapter_text(struct looking *at, const char *name)
{
    const char *adapter = path_join(at->arena, LOOK_ADAPTERS, name);
    const char *speed = file_in(at, adapter, "speed");
    bool known = speed && strtol(speed, NULL, 10) > 0;
    const char *text = arena_printf(at->arena, "%s %s%s", name, known ? speed : "link rate unknown",
                                    known ? " Mb/s" : "");
    text = with(text, " ", driver_of(at, adapter), at->arena);
    text = with(text, " ", file_in(at, adapter, "operstate"), at->arena);
    return with(text, " NUMA ", numa_of(at, path_join(at->arena, adapter, "device")), at->arena);
}

struct found look_network(struct looking *at)
{
    struct dir_entry *entries;
    const char *list = NULL;
    size_t n = look_adapters(at, &entries);
    for (size_t i = 0; i < n; i++)
        list = append_item(list, adapter_text(at, entries[i].name), at->arena);
    return list ? (struct found){list, NULL}
                : (struct found){NULL, "/sys/class/net contains no physical network adapter"};
}

/* ---- InfiniBand ------------------------------------------------------------------------------ */

/* "ACTIVE" of "4: ACTIVE" */
static const char *state_of(struct looking *at, const char *port)
{
    const char *state = file_in(at, port, "state");
    const char *name = state ? strstr(state, ": ") : NULL;
    return name ? name + 2 : state;
}

static const char *port_text(struct looking *at, const char *adapter, const char *port)
{
    const char *device = path_join(at->arena, LOOK_INFINIBAND, adapter);
    const char *folder = arena_printf(at->arena, "%s/ports/%s", device, port);
    const char *rate = file_in(at, folder, "rate");
    const char *text =
        arena_printf(at->arena, "%s/%s %s", adapter, port, rate ? rate : "rate unknown");
    text = with(text, " ", state_of(at, folder), at->arena);
    text = with(text, " ", file_in(at, folder, "link_layer"), at->arena);
    text = with(text, " firmware ", file_in(at, device, "fw_ver"), at->arena);
    return with(text, " NUMA ", numa_of(at, path_join(at->arena, device, "device")), at->arena);
}

struct found look_infiniband(struct looking *at)
{
    struct dir_entry *adapters, *ports;
    const char *list = NULL;
    size_t n = look_folder(at, LOOK_INFINIBAND, &adapters);
    for (size_t i = 0; i < n; i++) {
        const char *below = arena_printf(at->arena, LOOK_INFINIBAND "/%s/ports", adapters[i].name);
        size_t n_ports = look_folder(at, below, &ports);
        for (size_t k = 0; k < n_ports; k++)
            list = append_item(list, port_text(at, adapters[i].name, ports[k].name), at->arena);
    }
    return list ? (struct found){list, NULL}
                : (struct found){NULL, "no port in /sys/class/infiniband"};
}

/* ---- cards ----------------------------------------------------------------------------------- */

struct found look_accelerator_numa(struct looking *at)
{
    const char *list = NULL;
    bool any = false;
    if (!at->cards.bus_ids)
        return (struct found){NULL, "the PCI addresses of the cards are unknown"};
    for (const char *id = at->cards.bus_ids; *id;) {
        size_t n = strcspn(id, ",");
        const char *node =
            numa_of(at, arena_printf(at->arena, "/sys/bus/pci/devices/%.*s", (int)n, id));
        any = any || node;
        list = append_item(list, node ? node : "-", at->arena);
        id += n;
        id += strspn(id, ", ");
    }
    return any ? (struct found){list, NULL}
               : (struct found){NULL, "/sys/bus/pci does not state the NUMA nodes of the cards"};
}
