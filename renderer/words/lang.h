/* lang: the languages that pages are written in. */
#pragma once

enum page_lang { PAGE_ZH, PAGE_EN, PAGE_LANGS };

const char *page_lang_name(enum page_lang lang); /* "zh", "en" */
