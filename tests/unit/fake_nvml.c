/* A made-up libnvidia-ml.so.1 with two cards, compiled by test_fingerprint and test_monitor. */
#include <string.h>

int nvmlInit_v2(void)
{
    return FAKE_INIT;
}
int nvmlShutdown(void)
{
    return 0;
}
int nvmlDeviceGetCount_v2(unsigned *n)
{
    *n = FAKE_CARDS;
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **card)
{
    static int cards[8];
    *card = &cards[i];
    cards[i] = (int)i;
    return 0;
}
int nvmlDeviceGetName(void *card, char *name, unsigned n)
{
    (void)card;
    strncpy(name, "NVIDIA A100-SXM4-40GB", n);
    return 0;
}
int nvmlDeviceGetMemoryInfo(void *card, unsigned long long *m)
{
    m[0] = 40536ull << 20;
    m[2] = (15ull + 59 * (unsigned)*(int *)card) << 20;
    m[1] = m[0] - m[2];
    return 0;
}
int nvmlSystemGetDriverVersion(char *v, unsigned n)
{
    strncpy(v, "470.129.06", n);
    return 0;
}
int nvmlSystemGetCudaDriverVersion_v2(int *v)
{
    *v = 11040;
    return 0;
}
int nvmlDeviceGetTemperature(void *card, int sensor, unsigned *t)
{
    (void)sensor;
    *t = 31 - (unsigned)*(int *)card;
    return 0;
}
int nvmlDeviceGetPowerUsage(void *card, unsigned *mw)
{
    *mw = 56600;
    return *(int *)card ? 3 : 0;
}
int nvmlDeviceGetUtilizationRates(void *card, unsigned *u)
{
    u[0] = 3u * (unsigned)*(int *)card;
    u[1] = 0;
    return 0;
}
int nvmlDeviceGetClockInfo(void *card, int clock, unsigned *mhz)
{
    static const unsigned clocks[] = {1000, 1410, 1215}; /* graphics, SM, memory */
    *mhz = clocks[clock];
    return *(int *)card && clock == 2 ? 3 : 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void *card, unsigned long long *bits)
{
    *bits = *(int *)card ? 0 : 0x24;
    return 0;
}

/* What the fingerprint asks, but no monitor. The second card differs in a few things. */
int nvmlDeviceGetVbiosVersion(void *card, char *v, unsigned n)
{
    (void)card;
    strncpy(v, "92.00.45.00.03", n);
    return 0;
}
int nvmlDeviceGetSerial(void *card, char *v, unsigned n)
{
    strncpy(v, *(int *)card ? "1560221000002" : "1560221000001", n);
    return 0;
}
int nvmlDeviceGetUUID(void *card, char *v, unsigned n)
{
    strncpy(v,
            *(int *)card ? "GPU-5e1f0b1c-0000-4000-8000-000000000002"
                         : "GPU-5e1f0b1c-0000-4000-8000-000000000001",
            n);
    return 0;
}
int nvmlDeviceGetMaxPcieLinkGeneration(void *card, unsigned *v)
{
    (void)card;
    *v = 4;
    return 0;
}
int nvmlDeviceGetMaxPcieLinkWidth(void *card, unsigned *v)
{
    (void)card;
    *v = 16;
    return 0;
}
int nvmlDeviceGetCurrPcieLinkGeneration(void *card, unsigned *v)
{
    *v = *(int *)card ? 1 : 4;
    return 0;
}
int nvmlDeviceGetCurrPcieLinkWidth(void *card, unsigned *v)
{
    *v = *(int *)card ? 8 : 16;
    return 0;
}
/* Twelve links of the third generation; one of the second card is down. */
int nvmlDeviceGetNvLinkState(void *card, unsigned link, unsigned *state)
{
    *state = !(*(int *)card && link == 3);
    return link < 12 ? 0 : 3;
}
int nvmlDeviceGetNvLinkVersion(void *card, unsigned link, unsigned *v)
{
    (void)card;
    *v = 4;
    return link < 12 ? 0 : 3;
}
int nvmlDeviceGetEccMode(void *card, unsigned *now, unsigned *next)
{
    *now = 1;
    *next = *(int *)card == 0;
    return 0;
}
int nvmlDeviceGetMigMode(void *card, unsigned *now, unsigned *next)
{
    (void)card;
    *now = *next = 0;
    return 0;
}
int nvmlDeviceGetEnforcedPowerLimit(void *card, unsigned *mw)
{
    *mw = *(int *)card ? 350000 : 400000;
    return 0;
}
int nvmlDeviceGetPowerManagementLimitConstraints(void *card, unsigned *least, unsigned *most)
{
    (void)card;
    *least = 100000;
    *most = 400000;
    return 0;
}
int nvmlDeviceGetPowerManagementDefaultLimit(void *card, unsigned *mw)
{
    (void)card;
    *mw = 400000;
    return 0;
}
int nvmlDeviceGetMaxClockInfo(void *card, int clock, unsigned *mhz)
{
    (void)card;
    *mhz = clock == 1 ? 1410 : 1215;
    return 0;
}
int nvmlDeviceGetPersistenceMode(void *card, unsigned *mode)
{
    (void)card;
    *mode = 1;
    return 0;
}
int nvmlDeviceGetComputeMode(void *card, unsigned *mode)
{
    *mode = *(int *)card ? 99 : 3; /* one that nobody knows */
    return 0;
}
int nvmlDeviceGetTotalEccErrors(void *card, int kind, int ever, unsigned long long *count)
{
    *count = (unsigned long long)(*(int *)card * (10 * kind + ever + 1));
    return 0;
}
int nvmlDeviceGetRemappedRows(void *card, unsigned *corrected, unsigned *uncorrected,
                              unsigned *pending, unsigned *failed)
{
    *corrected = 2 * (unsigned)*(int *)card;
    *uncorrected = 0;
    *pending = (unsigned)*(int *)card;
    *failed = 0;
    return 0;
}
int nvmlDeviceGetTopologyCommonAncestor(void *a, void *b, int *level)
{
    (void)a, (void)b;
    *level = 50;
    return 0;
}
int nvmlDeviceGetP2PStatus(void *a, void *b, int what, int *status)
{
    (void)a, (void)b;
    *status = what == 2 ? 0 : 1;
    return 0;
}
int nvmlDeviceGetPciInfo_v3(void *card, char *pci)
{
    unsigned place[3] = {*(int *)card ? 0x10000 : 0, 0x1b + 0x28 * (unsigned)*(int *)card, 0};
    memset(pci, 0, 16 + 5 * sizeof(unsigned) + 32);
    memcpy(pci + 16, place, sizeof place);
    return 0;
}
