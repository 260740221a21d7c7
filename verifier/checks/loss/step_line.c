#include "verifier/checks/loss/step_line.h"

int step_line(const struct log *log, double step)
{
    int line = 0;
    for (size_t i = 0; i < log->n_points; i++)
        if (log->points[i].step == step)
            line = log->points[i].line;
    return line;
}
