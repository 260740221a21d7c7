/* A curve as comma-separated values, as a whole file, and what a machine says of itself
 * (sys_info.log), a date, a fingerprint. */
#include "tests/fuzz/fuzz.h"

#include "base/calendar.h"
#include "base/lines/span.h"
#include "base/records/facts.h"
#include "verifier/diff/csv.h"
#include "verifier/runs/sys_info.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct diff_points points = {0};
    struct facts facts = {0};
    long long seconds;
    const char *text = arena_strndup(&arena, (const char *)data, size);
    const struct bytes in = {text, size};
    diags_init(&diags, &arena);
    if (diff_csv_is(in))
        diff_csv_read("c.csv", NULL, in, &points, &arena, &diags);
    sys_info_read(in, &arena, &facts);
    facts_read("f.json", in, &arena, &facts, &diags);
    stamp_read((struct span){text, size}, ' ');
    if (calendar_time(text, &seconds) && seconds < -62167219200)
        abort(); /* before the year 0 */
    arena_release(&arena);
    return 0;
}
