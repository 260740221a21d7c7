/* What NVML tells of cards for the fingerprint (nvml.h). Every function is looked up by its name
 * when it is asked for; a library that has none, and a card that does not answer, tell nothing. */
#include "base/text.h"
#include "trainer/cards/accelerator.h"
#include "trainer/cards/nvml_own.h"

#include <string.h>

#define TEXT_MAX 128 /* NVML's own buffers are 96 at most */
#define LINKS_MAX 18 /* NVML_NVLINK_MAX_LINKS */
#define PAIRS_MAX 64 /* cards of which all pairs are asked for */

struct asking {
    const struct nvml *nvml;
    card_t card;
    struct arena *arena;
    const char *const *functions; /* of the row */
};

static bool ask_number(const struct asking *a, const char *function, unsigned *out)
{
    int (*f)(card_t, unsigned *);
    return nvml_find(a->nvml, function, &f) && f(a->card, out) == 0;
}

/* The same for functions that are asked about a kind of something. */
static bool ask_number_of_kind(const struct asking *a, const char *function, unsigned kind,
                               unsigned *out)
{
    int (*f)(card_t, unsigned, unsigned *);
    return nvml_find(a->nvml, function, &f) && f(a->card, kind, out) == 0;
}

/* ---- one card ------------------------------------------------------------------------------- */

static const char *string(const struct asking *a)
{
    int (*f)(card_t, char *, unsigned);
    char text[TEXT_MAX] = "";
    bool known =
        nvml_find(a->nvml, a->functions[0], &f) && f(a->card, text, sizeof text - 1) == 0 && *text;
    return known ? arena_strdup(a->arena, text) : NULL;
}

static const char *memory(const struct asking *a)
{
    struct nvml_memory m;
    return nvml_read_memory(a->nvml, a->card, &m) ? arena_printf(a->arena, "%llu", m.total / MIB)
                                                  : NULL;
}

static const char *memory_used(const struct asking *a)
{
    struct nvml_memory m;
    return nvml_read_memory(a->nvml, a->card, &m) ? arena_printf(a->arena, "%llu", m.used / MIB)
                                                  : NULL;
}

static const char *pcie(const struct asking *a)
{
    unsigned generation, width;
    return ask_number(a, a->functions[0], &generation) && ask_number(a, a->functions[1], &width)
               ? arena_printf(a->arena, "generation %u x%u", generation, width)
               : NULL;
}

/* "18 links of version 4 (18 active)", "none" */
static const char *nvlink(const struct asking *a)
{
    unsigned links = 0, active = 0, version = 0, state;
    int (*f)(card_t, unsigned, unsigned *);
    if (!nvml_find(a->nvml, "nvmlDeviceGetNvLinkState", &f))
        return NULL;
    for (unsigned i = 0; i < LINKS_MAX; i++) {
        if (f(a->card, i, &state) != 0)
            continue;
        links++;
        active += state != 0;
        ask_number_of_kind(a, "nvmlDeviceGetNvLinkVersion", i, &version);
    }
    if (links == 0)
        return "none";
    /* nvmlNvlinkVersion_t counts half versions, too: 1.0, 2.0, 2.2, 3.0, 3.1, 4.0, 5.0. */
    static const char *const versions[] = {"?", "1", "2", "2.2", "3", "3.1", "4", "5"};
    const char *named = version < sizeof versions / sizeof *versions ? versions[version] : "?";
    return arena_printf(a->arena, "%u links of version %s (%u active)", links, named, active);
}

/* nvmlEnableState_t now, and after the next start. */
static const char *two_modes(const struct asking *a)
{
    int (*f)(card_t, unsigned *, unsigned *);
    unsigned now, next;
    if (!nvml_find(a->nvml, a->functions[0], &f) || f(a->card, &now, &next) != 0)
        return NULL;
    const char *name = now ? "enabled" : "disabled";
    if (!now == !next)
        return name;
    return arena_printf(a->arena, "%s (%s after a restart)", name, next ? "enabled" : "disabled");
}

/* "700 W of 200 to 700 (default 700)": what holds now is the lowest of all that limit it. */
static const char *power_limit(const struct asking *a)
{
    int (*between)(card_t, unsigned *, unsigned *);
    unsigned limit, least, most, normal;
    if (!ask_number(a, "nvmlDeviceGetEnforcedPowerLimit", &limit))
        return NULL;
    const char *text = arena_printf(a->arena, "%u W", limit / 1000);
    if (nvml_find(a->nvml, "nvmlDeviceGetPowerManagementLimitConstraints", &between) &&
        between(a->card, &least, &most) == 0)
        text = arena_printf(a->arena, "%s of %u to %u", text, least / 1000, most / 1000);
    if (ask_number(a, "nvmlDeviceGetPowerManagementDefaultLimit", &normal))
        text = arena_printf(a->arena, "%s (default %u)", text, normal / 1000);
    return text;
}

#define CLOCK_SM 1 /* nvmlClockType_t */
#define CLOCK_MEMORY 2

static const char *clock_limits(const struct asking *a)
{
    unsigned sm, mem;
    if (!ask_number_of_kind(a, "nvmlDeviceGetMaxClockInfo", CLOCK_SM, &sm) ||
        !ask_number_of_kind(a, "nvmlDeviceGetMaxClockInfo", CLOCK_MEMORY, &mem))
        return NULL;
    const char *text = arena_printf(a->arena, "SM %u MHz memory %u MHz", sm, mem);
    if (ask_number_of_kind(a, "nvmlDeviceGetApplicationsClock", CLOCK_SM, &sm) &&
        ask_number_of_kind(a, "nvmlDeviceGetApplicationsClock", CLOCK_MEMORY, &mem))
        text = arena_printf(a->arena, "%s (for applications %u and %u)", text, sm, mem);
    return text;
}

static const char *clocks(const struct asking *a)
{
    unsigned sm, mem;
    if (!ask_number_of_kind(a, "nvmlDeviceGetClockInfo", CLOCK_SM, &sm) ||
        !ask_number_of_kind(a, "nvmlDeviceGetClockInfo", CLOCK_MEMORY, &mem))
        return NULL;
    return arena_printf(a->arena, "%u/%u", sm, mem);
}

static const char *persistence(const struct asking *a)
{
    unsigned mode;
    if (!ask_number(a, "nvmlDeviceGetPersistenceMode", &mode))
        return NULL;
    return mode ? "enabled" : "disabled";
}

static const char *compute_mode(const struct asking *a)
{
    static const char *const modes[] = {"default", "exclusive thread", "prohibited",
                                        "exclusive process"};
    unsigned mode;
    if (!ask_number(a, "nvmlDeviceGetComputeMode", &mode) || mode >= sizeof modes / sizeof *modes)
        return NULL;
    return modes[mode];
}

static const char *temperature(const struct asking *a)
{
    unsigned celsius;
    return ask_number_of_kind(a, "nvmlDeviceGetTemperature", 0, &celsius)
               ? arena_printf(a->arena, "%u", celsius)
               : NULL;
}

static const char *power(const struct asking *a)
{
    unsigned milliwatts;
    return ask_number(a, "nvmlDeviceGetPowerUsage", &milliwatts)
               ? arena_printf(a->arena, "%u", (milliwatts + 500) / 1000)
               : NULL;
}

/* "corrected/uncorrected" since the driver was loaded, and ever. */
static const char *ecc_errors(const struct asking *a)
{
    int (*f)(card_t, int, int, unsigned long long *);
    unsigned long long count[2][2] = {{0}};
    if (!nvml_find(a->nvml, "nvmlDeviceGetTotalEccErrors", &f))
        return NULL;
    for (int kind = 0; kind < 2; kind++)
        for (int ever = 0; ever < 2; ever++)
            if (f(a->card, kind, ever, &count[kind][ever]) != 0)
                return NULL;
    return arena_printf(a->arena, "%llu/%llu (ever %llu/%llu)", count[0][0], count[1][0],
                        count[0][1], count[1][1]);
}

/* "corrected/uncorrected" errors for which rows were remapped. */
static const char *remapped_rows(const struct asking *a)
{
    int (*f)(card_t, unsigned *, unsigned *, unsigned *, unsigned *);
    unsigned corrected, uncorrected, pending, failed;
    if (!nvml_find(a->nvml, "nvmlDeviceGetRemappedRows", &f) ||
        f(a->card, &corrected, &uncorrected, &pending, &failed) != 0)
        return NULL;
    return arena_printf(a->arena, "%u/%u%s%s", corrected, uncorrected, pending ? " pending" : "",
                        failed ? " failed" : "");
}

static const struct {
    enum fact_id id;
    const char *(*ask)(const struct asking *a);
    const char *functions[2]; /* of NVML, where what asks them does not know which */
} rows[] = {
    {FACT_ACCELERATOR_MODEL, string, {"nvmlDeviceGetName", NULL}},
    {FACT_ACCELERATOR_MEMORY, memory, {NULL}},
    {FACT_ACCELERATOR_FIRMWARE, string, {"nvmlDeviceGetVbiosVersion", NULL}},
    {FACT_ACCELERATOR_PCIE,
     pcie,
     {"nvmlDeviceGetMaxPcieLinkGeneration", "nvmlDeviceGetMaxPcieLinkWidth"}},
    {FACT_ACCELERATOR_NVLINK, nvlink, {NULL}},
    {FACT_ACCELERATOR_ECC, two_modes, {"nvmlDeviceGetEccMode", NULL}},
    {FACT_ACCELERATOR_MIG, two_modes, {"nvmlDeviceGetMigMode", NULL}},
    {FACT_ACCELERATOR_POWER_LIMIT, power_limit, {NULL}},
    {FACT_ACCELERATOR_CLOCK_LIMITS, clock_limits, {NULL}},
    {FACT_ACCELERATOR_PERSISTENCE, persistence, {NULL}},
    {FACT_ACCELERATOR_COMPUTE_MODE, compute_mode, {NULL}},
    {FACT_ACCELERATOR_SERIAL, string, {"nvmlDeviceGetSerial", NULL}},
    {FACT_ACCELERATOR_UUID, string, {"nvmlDeviceGetUUID", NULL}},
    {FACT_ACCELERATOR_TEMPERATURE, temperature, {NULL}},
    {FACT_ACCELERATOR_POWER, power, {NULL}},
    {FACT_ACCELERATOR_MEMORY_USED, memory_used, {NULL}},
    {FACT_ACCELERATOR_CLOCKS, clocks, {NULL}},
    {FACT_ACCELERATOR_PCIE_NOW,
     pcie,
     {"nvmlDeviceGetCurrPcieLinkGeneration", "nvmlDeviceGetCurrPcieLinkWidth"}},
    {FACT_ACCELERATOR_ECC_ERRORS, ecc_errors, {NULL}},
    {FACT_ACCELERATOR_REMAPPED_ROWS, remapped_rows, {NULL}},
};

/* ---- all cards ------------------------------------------------------------------------------ */

/* One value a card; where they are stable and the same, once. NULL: no card tells. */
static const char *of_all(const char *const *each, unsigned n, bool stable, struct arena *arena)
{
    bool any = false, same = true;
    const char *list = NULL;
    for (unsigned i = 0; i < n; i++) {
        any = any || each[i];
        same = same && each[i] && each[0] && strcmp(each[i], each[0]) == 0;
        const char *one = each[i] ? each[i] : "-";
        list = list ? arena_printf(arena, "%s, %s", list, one) : one;
    }
    return !any ? NULL : same && stable ? each[0] : list;
}

static void set_text(struct accelerator_facts *out, enum fact_id id, const char *value)
{
    if (value)
        out->of[id] = (struct accelerator_fact){value, NULL};
}

static void ask_all(const struct nvml *n, size_t row, struct arena *arena,
                    struct accelerator_facts *out)
{
    const char **each = arena_array(arena, n->n, sizeof *each);
    enum fact_id id = rows[row].id;
    for (unsigned i = 0; i < n->n; i++) {
        struct asking a = {n, NULL, arena, rows[row].functions};
        if (n->card(i, &a.card) == 0)
            each[i] = rows[row].ask(&a);
    }
    set_text(out, id, of_all(each, n->n, fact_kinds[id].class == FACT_STABLE, arena));
}

/* nvmlGpuTopologyLevel_t, by the names that `nvidia-smi topo -m` has for them. */
static const struct {
    int level;
    const char *name;
} levels[] = {{0, "same board"}, {10, "PIX"}, {20, "PXB"}, {30, "PHB"}, {40, "NODE"}, {50, "SYS"}};
#define LEVELS (sizeof levels / sizeof *levels)

#define P2P_NVLINK 2 /* nvmlGpuP2PCapsIndex_t */

/* "28 pairs: 28 by NVLink; 12 NODE, 16 SYS" */
static const char *topology(const struct nvml *n, struct arena *arena)
{
    int (*ancestor)(card_t, card_t, int *), (*p2p)(card_t, card_t, int, int *);
    unsigned counts[LEVELS] = {0}, linked = 0, pairs = 0;
    bool known = nvml_find(n, "nvmlDeviceGetTopologyCommonAncestor", &ancestor);
    bool asked = nvml_find(n, "nvmlDeviceGetP2PStatus", &p2p);
    for (unsigned i = 0; i < n->n && i < PAIRS_MAX; i++)
        for (unsigned k = i + 1; k < n->n && k < PAIRS_MAX; k++, pairs++) {
            card_t a, b;
            int level = -1, status = -1;
            if (n->card(i, &a) != 0 || n->card(k, &b) != 0)
                continue;
            linked += asked && p2p(a, b, P2P_NVLINK, &status) == 0 && status == 0;
            known = known && ancestor(a, b, &level) == 0;
            for (size_t l = 0; l < LEVELS; l++)
                counts[l] += known && levels[l].level == level;
        }
    if (pairs == 0 || (!known && !asked))
        return NULL;
    const char *text = arena_printf(arena, "%u %s: %u by NVLink", pairs,
                                    pairs == 1 ? "pair" : "pairs", linked),
               *between = "; ";
    for (size_t l = 0; l < LEVELS; l++) {
        if (counts[l] == 0)
            continue;
        text = arena_printf(arena, "%s%s%u %s", text, between, counts[l], levels[l].name);
        between = ", ";
    }
    return text;
}

/* nvmlPciInfo_t: the newer address has a domain of 8 digits, sysfs one of 4 and of more where it
 * takes more (behind a VMD, in virtual machines). */
struct pci_info {
    char legacy[16];
    unsigned domain, bus, device, pci_device, pci_subsystem;
    char address[32];
    char room[64];
};

static const char *bus_ids(const struct nvml *n, struct arena *arena)
{
    int (*f)(card_t, struct pci_info *);
    const char *list = NULL;
    if (!nvml_find(n, "nvmlDeviceGetPciInfo_v3", &f))
        return NULL;
    for (unsigned i = 0; i < n->n; i++) {
        struct pci_info pci = {.legacy = ""};
        card_t card;
        const char *one = "-";
        if (n->card(i, &card) == 0 && f(card, &pci) == 0)
            one = arena_printf(arena, "%04x:%02x:%02x.0", pci.domain, pci.bus & 0xff,
                               pci.device & 0xff);
        list = list ? arena_printf(arena, "%s, %s", list, one) : one;
    }
    return list;
}

void nvml_describe(const struct nvml *n, struct arena *arena, struct accelerator_facts *out)
{
    char text[TEXT_MAX] = "";
    int cuda;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ask_all(n, i, arena, out);
    set_text(out, FACT_ACCELERATOR_COUNT, arena_printf(arena, "%u", n->n));
    set_text(out, FACT_ACCELERATOR_TOPOLOGY, topology(n, arena));
    if (n->n == 1)
        set_text(out, FACT_ACCELERATOR_TOPOLOGY, "one card");
    if (n->driver(text, sizeof text - 1) == 0)
        set_text(out, FACT_ACCELERATOR_DRIVER, arena_strdup(arena, text));
    if (n->cuda(&cuda) == 0) /* 12040: 12.4 */
        set_text(out, FACT_ACCELERATOR_RUNTIME,
                 arena_printf(arena, "%d.%d", cuda / 1000, cuda % 1000 / 10));
    out->bus_ids = bus_ids(n, arena);
}
