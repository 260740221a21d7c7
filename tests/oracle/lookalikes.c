/*
 * The rows of base/project/lookalikes.c by ICU's skeletons: `CODE letters` a line, behind the major
 * version of ICU. Letters of mathematics, circled and full-width ones are computed elsewhere.
 *
 *   cc tests/oracle/lookalikes.c $(pkg-config --cflags --libs icu-i18n icu-uc) -o lookalikes
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <unicode/uchar.h>
#include <unicode/uspoof.h>

static bool is_left_out(UChar32 c)
{
    return (c >= 0xD800 && c < 0xE000) || (c >= 0x1D400 && c <= 0x1D7FF) ||
           (c >= 0x24B6 && c <= 0x24E9) || (c >= 0xFF01 && c <= 0xFF5E) || !u_isdefined(c);
}

int main(void)
{
    UErrorCode error = U_ZERO_ERROR;
    USpoofChecker *checker = uspoof_open(&error);
    printf("ICU %d\n", U_ICU_VERSION_MAJOR_NUM);
    for (UChar32 c = 0x80; c < 0x110000; c++) {
        char in[8], out[64];
        int32_t n = 0;
        bool plain = true;
        if (is_left_out(c))
            continue;
        U8_APPEND_UNSAFE(in, n, c);
        error = U_ZERO_ERROR;
        int32_t m = uspoof_getSkeletonUTF8(checker, 0, in, n, out, sizeof out, &error);
        for (int32_t i = 0; i < m && i < 4; i++)
            plain = plain && (isalnum((unsigned char)out[i]) || out[i] == '|');
        if (U_FAILURE(error) || m < 1 || m > 3 || !plain)
            continue;
        printf("%X ", (unsigned)c);
        for (int32_t i = 0; i < m; i++)
            putchar(tolower((unsigned char)out[i]));
        putchar('\n');
    }
    uspoof_close(checker);
    return U_FAILURE(error);
}
