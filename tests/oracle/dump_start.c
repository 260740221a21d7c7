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
#include "tests/oracle/start.h"
#include "tests/oracle/tiny_llama.h"
#include "trainer/training/train_settings.h"

struct start {
    const char *folder;
    struct training training;
    int ranks;
};

static int write_settings(const struct start *s, struct err *err)
{
    FILE *f = start_create(s->folder, "settings.json", err);
    if (!f)
        return -1;
    fprintf(f, "{\"ranks\": %d", s->ranks);
    for (size_t i = 0; i < SETTINGS; i++)
        fprintf(f, ", \"%s\": %.17g", settings[i].name, setting_get(&s->training, &settings[i]));
    fputs("}\n", f);
    return start_finish(f, "settings.json", err);
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
    if (training_check(&s.training, &err) == 0 && start_weights(&s.training, s.folder, &err) == 0 &&
        write_settings(&s, &err) == 0 && start_sequences(&s.training, s.ranks, s.folder, &err) == 0)
        return 0;
    fprintf(stderr, "%s\n", err.text);
    return 1;
}
