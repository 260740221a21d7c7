/* The card tools, in the order in which the trainer looks for them. A tool is one file, which
 * exports `const struct card_tool card_tool_NAME`, and one line here: docs/CONTRIBUTING.md. */
#include "base/cards/card_tool.h"

#define TOOLS(X)    \
    X(nvidia_smi)   \
    X(ixsmi)        \
    X(efsmi)        \
    X(mx_smi)       \
    X(xpu_smi)      \
    X(old_xpu_smi)  \
    X(mthreads_gmi) \
    X(cnmon)        \
    X(npu_smi)      \
    X(hy_smi)       \
    X(rocm_smi)     \
    X(nvidia_clocks)

#define DECLARED(name) extern const struct card_tool card_tool_##name;
#define LISTED(name) &card_tool_##name,

TOOLS(DECLARED)

const struct card_tool *const card_tools[] = {TOOLS(LISTED) NULL};

_Static_assert(sizeof card_tools / sizeof *card_tools <= CARD_TOOLS_MAX + 1,
               "more tools than CARD_TOOLS_MAX");
