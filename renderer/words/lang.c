#include "renderer/words/lang.h"

const char *page_lang_name(enum page_lang lang)
{
    static const char *const names[PAGE_LANGS] = {[PAGE_ZH] = "zh", [PAGE_EN] = "en"};
    return names[lang];
}
