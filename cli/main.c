#include <stdio.h>

int main(void)
{
    fputs("fpreport " FPREPORT_VERSION "\n", stdout);
    return 0;
}
