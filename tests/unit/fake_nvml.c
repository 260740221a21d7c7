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
