#include "trainer/optimizer/schedule.h"

#include <math.h>

double schedule_lr(const struct schedule *s, int step)
{
    step -= s->from_zero;
    if (step < s->warmup_steps)
        return s->lr * step / s->warmup_steps;
    if (step >= s->steps)
        return s->steps > s->warmup_steps ? s->min_lr : s->lr;
    double done = (double)(step - s->warmup_steps) / (s->steps - s->warmup_steps);
    return s->min_lr + (s->lr - s->min_lr) * (1 + cos(acos(-1.0) * done)) / 2;
}
