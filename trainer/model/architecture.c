#include "trainer/model/architecture.h"

#include <math.h>

double architecture_slope(int head, int heads)
{
    int power = 1;
    while (2 * power <= heads)
        power *= 2;
    return head < power ? pow(2, -8.0 * (head + 1) / power)
                        : pow(2, -8.0 * (2 * (head - power) + 1) / (2 * power));
}
