/* How this site is cited, in the form that repositories and archives read (citation-file-format).
 */
#include "renderer/site/sheet/cited.h"
#include "renderer/site/sheet/kind.h"

static void fill_citation(struct sheet *s, size_t i)
{
    (void)i;
    sheet_set_cff(s);
}

const struct site_kind site_kind_citation = {
    .name = "citation",
    .path = "CITATION.cff",
    .template = "site/CITATION.cff",
    .root = true,
    .fill = fill_citation,
};
