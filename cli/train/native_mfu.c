#include "cli/train/native_mfu.h"

#include "base/project/peaks.h"

#include <math.h>

#define FACTOR 6 /* training, where the case does not say */

double native_mfu(struct cli *cli, const struct case_record *c, double nominal_parameters,
                  const char *device, double tokens_per_second_per_card)
{
    struct project project;
    struct diags ignored; /* of records that others look at */
    struct peaks peaks;
    diags_init(&ignored, &cli->arena);
    project_load_accelerators(cli_records(cli), &project, &cli->arena, &ignored);
    const struct accelerator *card = project_find_accelerator(&project, device, NULL);
    double factor = isnan(c->mfu_factor) ? FACTOR : c->mfu_factor;
    if (!card || !peaks_find(card, c->precision ? c->precision : "fp32", &cli->arena, &peaks))
        return NAN;
    return factor * nominal_parameters * tokens_per_second_per_card / peaks.peak;
}
