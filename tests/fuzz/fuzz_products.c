/* Recorded algorithms of products: what is admitted is written and read again, the same. */
#include "tests/fuzz/fuzz.h"

#include "trainer/device/product_record.h"

#include <stdlib.h>
#include <string.h>

static void write_and_read(const struct product_record *r)
{
    struct err err = ERR_INIT;
    struct product_record again;
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    product_record_head(&text, r->place);
    for (size_t i = 0; i < r->n; i++)
        product_record_line(&text, &r->choices[i]);
    if (product_record_read(&again, text.data, &err) < 0 || again.n != r->n ||
        strcmp(again.place, r->place) != 0)
        __builtin_trap();
    for (size_t i = 0; i < r->n; i++)
        if (!product_key_same(&again.choices[i].key, &r->choices[i].key) ||
            memcmp(again.choices[i].algorithm, r->choices[i].algorithm,
                   sizeof r->choices[i].algorithm) != 0 ||
            !product_record_find(&again, &r->choices[i].key))
            __builtin_trap();
    product_record_release(&again);
    buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct product_record r;
    struct err err = ERR_INIT;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (product_record_read(&r, text, &err) == 0) {
        if (r.place[0])
            write_and_read(&r);
        product_record_release(&r);
    }
    free(text);
    return 0;
}
