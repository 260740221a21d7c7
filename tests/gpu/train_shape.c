/*
 * Trains a Llama of any shape on a GPU (or the processor) and prints what it measured:
 *
 *   train_shape DEVICE PRECISION RECOMPUTE [NAME=VALUE …] [choices=FILE]
 *
 * DEVICE is cpu or a GPU's number; under torchrun, mpirun or srun each rank takes its own GPU. One
 * line per step (step,loss,grad_norm,seconds), then a summary of one line of JSON with the median
 * step behind the third, the tokens per second that it gives, and the SHA-256 of the final weights.
 * attention=cudnn, flash or plain instead of the best (device_cuda.h).
 * choices=FILE: the algorithms of matrix products are read from FILE where it is there, and written
 * to it at the end; choices=fixed: none are timed.
 */
#include "tests/gpu/place.h"
#include "tests/oracle/settings.h"
#include "tests/oracle/tiny_llama.h"
#include "tests/train_cpu.h"
#include "trainer/device/precision.h"

#include "tests/gpu/profile.inc"

#include <math.h>

#define STEPS_MAX 10000

struct measured {
    double seconds[STEPS_MAX];
    int n;
    size_t tokens;
    double device_gib, first_loss, last_loss;
    char sha256[65];
    int rank, world;
};

static int started(void *context, const struct train_start *s)
{
    struct measured *m = context;
    m->tokens = s->tokens_per_step;
    m->device_gib = (double)s->device_bytes / (1 << 30);
    fprintf(stderr,
            "%s: %.3f billion weights; GiB: weights %.1f, gradients %.1f, optimizer %.1f, "
            "activations %.1f\n",
            s->device, (double)s->parameters / 1e9, (double)s->weight_bytes / (1 << 30),
            (double)s->gradient_bytes / (1 << 30), (double)s->optimizer_bytes / (1 << 30),
            (double)s->activation_bytes / (1 << 30));
    return 0;
}

static int stepped(void *context, const struct train_step *s)
{
    struct measured *m = context;
    if (m->n == 0)
        m->first_loss = s->loss;
    m->last_loss = s->loss;
    if (m->n < STEPS_MAX)
        m->seconds[m->n++] = s->seconds;
    printf("%d,%.17g,%.17g,%.6f\n", s->step, s->loss, s->grad_norm, s->seconds);
    return 0;
}

static int counted(void *context, const struct train_step *s)
{
    (void)s;
    ((struct measured *)context)->n++;
    return 0;
}

static void ended(void *context, const struct train_end *e)
{
    snprintf(((struct measured *)context)->sha256, 65, "%s", e->weights_sha256);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_behind_warmup(struct measured *m)
{
    int skip = m->n > 3 ? 3 : 0;
    qsort(m->seconds + skip, (size_t)(m->n - skip), sizeof *m->seconds, by_size);
    return m->seconds[skip + (m->n - skip) / 2];
}

static char *text_read(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = f ? calloc(1, 1 << 20) : NULL;
    if (text && fread(text, 1, (1 << 20) - 1, f) == 0)
        text[0] = '\0';
    if (f)
        fclose(f);
    return text;
}

static void choices_keep(const char *path, struct device *d)
{
    struct buf choices;
    FILE *f;
    buf_init(&choices, BUF_DEFAULT_MAX);
    device_cuda_choices(d, &choices);
    f = fopen(path, "w");
    if (f) {
        fwrite(choices.data, 1, choices.len, f);
        fclose(f);
    }
    buf_release(&choices);
}

static int train(const struct training *t, struct place *m, const char *choices, bool profiled,
                 struct measured *result, struct err *err)
{
    const struct train_observer quiet = {.context = result, .stepped = counted, .ended = ended};
    const struct train_observer observer = {
        .context = result, .started = started, .stepped = stepped, .ended = ended};
    if (profiled)
        profile_begin(m->device, device_cuda_stream(m->device));
    int rc = train_native(t, m->comm, m->ranks.rank == 0 ? &observer : &quiet, err);
    if (profiled)
        profile_end(m->device);
    if (choices && strcmp(choices, "fixed") != 0 && rc == 0 && m->ranks.rank == 0)
        choices_keep(choices, m->device);
    struct buf remarks;
    buf_init(&remarks, BUF_DEFAULT_MAX);
    device_cuda_remarks(m->device, &remarks);
    fputs(remarks.data, stderr);
    buf_release(&remarks);
    return rc;
}

static int run(const struct training *t, const char *where, const char *choices, bool profiled,
               enum attention_choice attention, struct measured *result, struct err *err)
{
    const struct train_observer observer = {
        .context = result, .started = started, .stepped = stepped, .ended = ended};
    const struct precision *p = precision_find(t->precision);
    struct place m;
    bool fixed = choices && strcmp(choices, "fixed") == 0;
    char *recorded = choices && !fixed ? text_read(choices) : NULL;
    const struct device_cuda_options options = {.ordinal = atoi(where),
                                                .number = p->number,
                                                .tf32 = p->tf32,
                                                .fixed = fixed,
                                                .attention = attention,
                                                .choices = recorded};
    if (strcmp(where, "cpu") == 0)
        return train_on_cpu(t, &observer, err);
    int rc = place_open(&m, &options, err);
    if (rc == 0)
        rc = place_meet(&m, err);
    if (rc == 0)
        rc = train(t, &m, choices, profiled, result, err);
    result->rank = m.ranks.rank;
    result->world = m.ranks.world;
    place_close(&m, rc < 0 ? err->text : NULL);
    free(recorded);
    return rc;
}

static enum attention_choice attention_named(const char *name)
{
    static const char *const names[] = {[ATTENTION_CUDNN] = "cudnn",
                                        [ATTENTION_FLASH] = "flash",
                                        [ATTENTION_TRIANGLE] = "triangle",
                                        [ATTENTION_PLAIN] = "plain"};
    for (size_t i = ATTENTION_CUDNN; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return (enum attention_choice)i;
    return ATTENTION_BEST;
}

int main(int argc, char **argv)
{
    static struct measured m;
    static const char *const recompute[] = {"none", "selective", "full"};
    struct training t = tiny_llama;
    struct err err = ERR_INIT;
    const char *choices = NULL;
    bool profiled = false;
    enum attention_choice attention = ATTENTION_BEST;
    if (argc < 4 || !precision_find(argv[2]))
        return fprintf(stderr, "usage: train_shape DEVICE PRECISION RECOMPUTE [NAME=VALUE …]\n"), 2;
    t.precision = argv[2];
    for (int i = 0; i < 3; i++)
        if (strcmp(argv[3], recompute[i]) == 0)
            t.recompute = (enum recompute)i;
    for (int i = 4; i < argc; i++)
        if (strncmp(argv[i], "choices=", 8) == 0)
            choices = argv[i] + 8;
        else if (strncmp(argv[i], "attention=", 10) == 0)
            attention = attention_named(argv[i] + 10);
        else if (strcmp(argv[i], "profile") == 0)
            profiled = true;
        else if (setting_replace(&t, argv[i]) < 0)
            return 2;
    if (run(&t, argv[1], choices, profiled, attention, &m, &err) < 0)
        return fprintf(stderr, "rank %d: %s\n", m.rank, err.text), 1;
    if (m.rank > 0)
        return 0;
    double seconds = median_behind_warmup(&m);
    printf("{\"precision\": \"%s\", \"recompute\": \"%s\", \"length\": %d, \"micro_batch\": %d, "
           "\"accumulation\": %d, \"ranks\": %d, \"zero\": %d, \"step_s\": %.5f, "
           "\"tokens_per_s_gpu\": %.1f, \"plan_GiB\": %.1f, "
           "\"loss\": [%.4f, %.4f], \"sha256\": \"%s\"}\n",
           t.precision, recompute[t.recompute], t.sequence_length, t.micro_batch,
           t.gradient_accumulation, m.world, t.zero, seconds, (double)m.tokens / seconds / m.world,
           m.device_gib, m.first_loss, m.last_loss, m.sha256);
    return 0;
}
