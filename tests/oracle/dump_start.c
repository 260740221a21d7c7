/*
 * Writes what an independent trainer needs to repeat a training of any shape from safetensors:
 *
 *   dump_start FOLDER [ranks=N] [NAME=VALUE …]
 *
 * FOLDER is new: model.safetensors and config.json as Hugging Face names things (the initial
 * weights, fp32), settings.json (all numbers of the training) and sequences.i32 (every sequence
 * that it will read, in the order in which it will, sequence_length + 1 tokens each, int32, little
 * endian). The weights are drawn and written by the trainer's own functions.
 *
 * tests/oracle/torch_curve.py reads the folder.
 */
#include "tests/oracle/settings.h"
#include "tests/oracle/tiny_llama.h"
#include "tests/trainer_ground.h"
#include "trainer/data/data.h"
#include "trainer/training/model_files.h"
#include "trainer/training/train_settings.h"

struct start {
    const char *folder;
    struct training training;
    int ranks;
};

static FILE *create(const char *folder, const char *name, struct err *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f)
        err_errno(err, ERR_IO, "%s", path);
    return f;
}

static int finish(FILE *f, const char *name, struct err *err)
{
    bool bad = ferror(f);
    return fclose(f) != 0 || bad ? err_set(err, ERR_IO, "%s: cannot write", name) : 0;
}

static int write_weights(const struct start *s, struct err *err)
{
    struct model_shape shape = training_model_shape(&s->training);
    struct adamw adamw = training_adamw(&s->training);
    struct transfer transfer = {.room = NULL};
    struct ground g;
    if (ground_open(&g, &shape, &adamw, err) < 0)
        return -1;
    int rc = weights_initialise(&g.optimizer, (float)s->training.init_std, s->training.seed, err);
    if (rc == 0)
        rc = transfer_init(&transfer, &g.optimizer, err);
    if (rc == 0)
        rc = model_folder_save(&transfer, &s->training, s->folder, err);
    transfer_release(&transfer);
    ground_close(&g);
    return rc;
}

static int write_settings(const struct start *s, struct err *err)
{
    FILE *f = create(s->folder, "settings.json", err);
    if (!f)
        return -1;
    fprintf(f, "{\"ranks\": %d", s->ranks);
    for (size_t i = 0; i < SETTINGS; i++)
        fprintf(f, ", \"%s\": %.17g", settings[i].name, setting_get(&s->training, &settings[i]));
    fputs("}\n", f);
    return finish(f, "settings.json", err);
}

static int write_sequences(const struct start *s, struct err *err)
{
    const struct training *t = &s->training;
    const struct data_source source = training_data_source(t);
    uint64_t sequences = (uint64_t)t->steps * t->gradient_accumulation * t->micro_batch * s->ranks;
    size_t length = (size_t)t->sequence_length + 1;
    struct data *data = NULL;
    if (data_open(&data, &source, err) < 0)
        return -1;
    FILE *f = create(s->folder, "sequences.i32", err);
    int32_t *tokens = calloc(length, sizeof *tokens);
    for (uint64_t i = 0; f && tokens && i < sequences; i++) {
        data_sample(data, i, tokens);
        fwrite(tokens, sizeof *tokens, length, f);
    }
    free(tokens);
    data_close(data);
    return f ? finish(f, "sequences.i32", err) : -1;
}

int main(int argc, char **argv)
{
    struct start s = {.training = tiny_llama, .ranks = 1};
    struct err err = ERR_INIT;
    if (argc < 2)
        return fputs("usage: dump_start FOLDER [ranks=N] [NAME=VALUE …]\n", stderr), 2;
    s.folder = argv[1];
    for (int i = 2; i < argc; i++)
        if (setting_value(argv[i], "ranks"))
            s.ranks = atoi(setting_value(argv[i], "ranks"));
        else if (setting_replace(&s.training, argv[i]) < 0)
            return 2;
    if (training_check(&s.training, &err) == 0 && write_weights(&s, &err) == 0 &&
        write_settings(&s, &err) == 0 && write_sequences(&s, &err) == 0)
        return 0;
    fprintf(stderr, "%s\n", err.text);
    return 1;
}
