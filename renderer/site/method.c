/* How results are judged, and how a reader does it himself. */
#include "renderer/site/sheet/kind.h"

#include "base/signing/signers.h"
#include "base/store/store.h"

static void fill_method(struct sheet *s, size_t i)
{
    (void)i;
    const struct project *p = s->site->project;
    view_set_flag(s->view, "has_signers", p->signers && p->signers->whole.data);
    view_set_flag(s->view, "has_revoked",
                  p->signers && p->signers->whole.data && p->signers->n_revoked);
    view_set_flag(s->view, "has_log", p->store && p->store->log.size);
    struct view *list = view_set_list(s->view, "states");
    for (int state = 0; state < SITE_STATES; state++)
        sheet_set_state(s, view_push_object(list), (enum state)state);
}

const struct site_kind site_kind_method = {
    .name = "method",
    .path = "method/index.html",
    .template = "site/method.html",
    .title = "method.title",
    .description = "method.description",
    .nav = "nav.method",
    .fill = fill_method,
    .depends = SITE_ON_OUTLINE,
};
