#include "base/arena.h"
#include "trainer/tokens/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#define BLANK "\xe2\x96\x81" /* U+2581 */

void tokenizer_decode(const struct tokenizer *t, const int32_t *ids, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++) {
        if (ids[i] < 0 || (size_t)ids[i] >= t->n)
            continue;
        const struct piece *p = &t->pieces[ids[i]];
        if (p->type == PIECE_BYTE) {
            /* <0x0A> */
            const char digits[] = {p->len == 6 ? p->text[3] : '0', p->len == 6 ? p->text[4] : '0',
                                   '\0'};
            buf_char(out, (char)strtoul(digits, NULL, 16));
        } else if (p->type == PIECE_UNKNOWN)
            buf_str(out, " \xe2\x81\x87 ");
        else if (p->type != PIECE_CONTROL) {
            const size_t blank = strlen(BLANK);
            for (size_t at = 0; at < p->len;) {
                bool is_blank = p->len - at >= blank && memcmp(p->text + at, BLANK, blank) == 0;
                buf_char(out, is_blank ? ' ' : p->text[at]);
                at += is_blank ? blank : 1;
            }
        }
    }
}
