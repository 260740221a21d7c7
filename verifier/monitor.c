#include "verifier/monitor.h"

#include "base/text.h"
#include "verifier/span.h"

#include <math.h>
#include <string.h>

void monitor_peaks_init(struct monitor_peaks *p)
{
    *p = (struct monitor_peaks){NAN, NAN, NAN, NAN, NAN, 0};
}

static void raise_to(double *peak, double value)
{
    if (isfinite(value) && !(*peak >= value))
        *peak = value;
}

/* "<time stamp><tab><share>" */
static void read_share(struct span line, double *peak)
{
    double value;
    span_cut(&line, '\t');
    if (line.n && span_number(line, &value) && value >= 0 && value <= 1)
        raise_to(peak, value);
}

/* "31C 57W 15MiB 40536MiB 0%": the first MiB is used, the second is there. */
static void read_card(struct span line, struct monitor_peaks *p)
{
    double used = NAN, total = NAN, watts = NAN, value;
    while (line.n) {
        struct span word = span_cut(&line, ' ');
        size_t n = span_number(word, &value);
        struct span unit = span_trim(span_from(word, n));
        if (!n)
            continue;
        if (span_is(unit, "W"))
            watts = value;
        else if (span_is(unit, "MiB") && isnan(used))
            used = value;
        else if (span_is(unit, "MiB") && isnan(total))
            total = value;
    }
    if (!(used >= 0 && total > 0))
        return;
    p->card_samples++;
    raise_to(&p->card_watts, watts);
    if (!(p->card_mib >= used)) {
        p->card_mib = used;
        p->card_total_mib = total;
    }
}

void monitor_read(const char *name, struct bytes in, struct monitor_peaks *p)
{
    struct span rest = {in.data, in.len};
    if (!text_ends(name, "_monitor.log"))
        return;
    double *share = strcmp(name, "cpu_monitor.log") == 0   ? &p->cpu_share
                    : strcmp(name, "mem_monitor.log") == 0 ? &p->memory_share
                                                           : NULL;
    while (rest.n) {
        struct span line = span_cut(&rest, '\n');
        if (share)
            read_share(line, share);
        else
            read_card(span_trim(line), p);
    }
}
