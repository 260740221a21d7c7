#include "verifier/checks/page/page_texts.h"

void page_each_text(struct audit *a, void (*look)(struct audit *a, const char *text, int line))
{
    const struct result *r = a->result;
    if (r->preamble)
        look(a, r->preamble, r->preamble_line ? r->preamble_line : 1);
    for (size_t i = 0; i < r->n_extras; i++)
        look(a, r->extras[i].text, r->extras[i].line);
    for (size_t i = 0; i < r->n_performance; i++)
        if (r->performance[i].text.zh)
            look(a, r->performance[i].text.zh, r->performance[i].line);
}
