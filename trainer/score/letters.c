#include "trainer/score/letters.h"

int letters_find(const struct tokenizer *t, int n, int32_t *letters, struct err *err)
{
    struct token_list ids = {0};
    int rc = 0;
    for (int i = 0; rc == 0 && i < n; i++) {
        char letter = (char)('A' + i);
        rc = tokenizer_encode(t, &letter, 1, &ids, err);
        letters[i] = rc == 0 && ids.n ? ids.ids[ids.n - 1] : TOKEN_NONE;
        for (int k = 0; rc == 0 && k < i; k++)
            if (letters[k] == letters[i])
                rc = err_set(err, ERR_INPUT, "found token %d for %c and %c, expected two tokens",
                             (int)letters[i], 'A' + k, 'A' + i);
    }
    token_list_release(&ids);
    return rc;
}
