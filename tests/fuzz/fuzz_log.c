/* A training log of any format and a monitor; the log read in pieces says the same. */
#include "tests/fuzz/fuzz.h"

#include "verifier/logs/log.h"
#include "verifier/runs/monitor.h"

#include <stdlib.h>

static const char *const monitors[] = {
    "nvidia_monitor.log", "nvidia_clock_monitor.log", "cambricon_monitor.log", "mx-smi_monitor.log",
    "ascend_monitor.log", "dcu_monitor.log",          "pwr_monitor.log"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct log whole, pieces;
    struct log_reader reader;
    struct curve curve;
    struct monitor monitor;
    struct monitor_peaks peaks;
    struct bytes text = {arena_strndup(&arena, (const char *)data, size), size};
    diags_init(&diags, &arena);
    log_read("a.log", text, &whole, &arena, &diags);
    log_curve(&whole, &arena, &curve);
    log_open(&reader, "a.log", &pieces, &arena, &diags);
    for (size_t at = 0; at < size; at += 7)
        log_feed(&reader, text.data + at, size - at < 7 ? size - at : 7);
    log_close(&reader);
    if (whole.n_points != pieces.n_points || whole.n_values != pieces.n_values)
        abort();
    monitor_peaks_init(&peaks);
    for (size_t i = 0; i < sizeof monitors / sizeof monitors[0]; i++) {
        monitor_read(monitors[i], text, &arena, &diags, &monitor);
        monitor_peaks_add(&peaks, &monitor);
    }
    arena_release(&arena);
    return 0;
}
