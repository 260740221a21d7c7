/*
 * Writes all that an independent trainer needs to repeat the shipped case, and what ours makes
 * of it:
 *
 *   dump_tiny_llama OUT.bin OUT.csv [NAME=VALUE …]
 *
 * OUT.bin: one line of JSON (the settings, and the tensors in order with their shapes), then the
 * initial weights (fp32, tensor after tensor), then every sequence that the training will read, in
 * the order in which it will (int32, sequence_length + 1 tokens each); little endian.
 * OUT.csv: step,loss,grad_norm,lr of our training. NAME=VALUE replaces a setting, to try other
 * shapes (tied=1, kv_heads=4, gradient_accumulation=2, …).
 *
 * tests/oracle/torch_tiny_llama.py and numpy_forward.py read OUT.bin.
 */
#include "tests/oracle/settings.h"
#include "tests/oracle/tiny_llama.h"
#include "tests/train_cpu.h"
#include "tests/trainer_ground.h"
#include "trainer/data/data.h"
#include "trainer/model/model.h"
#include "trainer/training/train_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_header(FILE *f, const struct training *t, const struct model *m)
{
    fputs("{", f);
    for (size_t i = 0; i < SETTINGS; i++)
        fprintf(f, "\"%s\": %.17g, ", settings[i].name, setting_get(t, &settings[i]));
    fputs("\"tensors\": [", f);
    for (size_t i = 0; i < m->n_parameters; i++) {
        const struct parameter *p = &m->parameters[i];
        fprintf(f, "%s{\"name\": \"%s\", \"rows\": %zu, \"width\": %zu, \"decays\": %d}",
                i ? ", " : "", p->name, p->rows, p->width, p->decays);
    }
    fputs("]}\n", f);
}

static void write_sequences(FILE *f, const struct training *t, struct data *data)
{
    size_t n = t->sequence_length + 1;
    int32_t *tokens = malloc(n * sizeof *tokens);
    uint64_t sequences = (uint64_t)t->steps * t->gradient_accumulation * t->micro_batch;
    for (uint64_t i = 0; tokens && i < sequences; i++) {
        data_sample(data, i, tokens);
        fwrite(tokens, sizeof *tokens, n, f);
    }
    free(tokens);
}

static void write_weights(FILE *f, const struct model *m)
{
    for (size_t i = 0; i < m->n_parameters; i++) {
        const struct parameter *p = &m->parameters[i];
        fwrite((const float *)m->weights + p->offset, sizeof(float), p->rows * p->width, f);
    }
}

static int write_all(FILE *f, const struct training *t, struct ground *g, struct err *err)
{
    struct data_source source = training_data_source(t);
    struct data *data = NULL;
    if (weights_initialise(&g->optimizer, (float)t->init_std, t->seed, err) < 0 ||
        data_open(&data, &source, err) < 0)
        return -1;
    write_header(f, t, g->model);
    write_weights(f, g->model);
    write_sequences(f, t, data);
    data_close(data);
    return 0;
}

static int write_start(const char *path, const struct training *t, struct err *err)
{
    struct model_shape shape = training_model_shape(t);
    struct adamw adamw = training_adamw(t);
    struct ground g;
    FILE *f = fopen(path, "wb");
    if (!f)
        return err_errno(err, ERR_IO, "%s", path);
    int rc = ground_open(&g, &shape, &adamw, err);
    if (rc == 0) {
        rc = write_all(f, t, &g, err);
        ground_close(&g);
    }
    bool bad = ferror(f);
    if ((fclose(f) != 0 || bad) && rc == 0)
        rc = err_set(err, ERR_IO, "%s: cannot write", path);
    return rc;
}

static int write_step(void *context, const struct train_step *s)
{
    return fprintf(context, "%d,%.9g,%.9g,%.9g\n", s->step, s->loss, s->grad_norm, s->lr) < 0;
}

static int write_training(const char *path, const struct training *t, struct err *err)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return err_errno(err, ERR_IO, "%s", path);
    const struct train_observer observer = {.context = f, .stepped = write_step};
    fputs("step,loss,grad_norm,lr\n", f);
    int rc = train_on_cpu(t, &observer, err);
    bool bad = ferror(f);
    if ((fclose(f) != 0 || bad) && rc == 0)
        rc = err_set(err, ERR_IO, "%s: cannot write", path);
    return rc;
}

int main(int argc, char **argv)
{
    struct training t = tiny_llama;
    struct err err = ERR_INIT;
    if (argc < 3) {
        fputs("usage: dump_tiny_llama OUT.bin OUT.csv [NAME=VALUE …]\n", stderr);
        return 2;
    }
    for (int i = 3; i < argc; i++)
        if (setting_replace(&t, argv[i]) < 0)
            return 2;
    if (training_check(&t, &err) == 0 && write_start(argv[1], &t, &err) == 0 &&
        write_training(argv[2], &t, &err) == 0)
        return 0;
    fprintf(stderr, "%s\n", err.text);
    return 1;
}
