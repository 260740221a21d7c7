/*
 * Writes what an independent trainer needs to repeat a native case beside the case's own record:
 *
 *   dump_case RECORDS CASE FOLDER
 *
 * FOLDER is new: the initial weights of the model (model.safetensors), every sequence in the order
 * in which it is read (sequences.i32), and, of a case with adapters, these in FOLDER/adapters.
 *
 * Of a model that sees, what start_pictures() says stands for the sequences.
 *
 * tests/oracle/hf_curve.py reads the folder.
 */
#include "base/diag.h"
#include "cli/train/native_settings.h"
#include "tests/oracle/start.h"

static int write_start(const struct training *t, const char *folder, struct err *err)
{
    char adapters[4096];
    struct training whole = *t;
    whole.lora.r = 0;
    whole.projector_alone = false;
    snprintf(adapters, sizeof adapters, "%s/adapters", folder);
    if (training_check(t, err) < 0 || start_weights(&whole, folder, err) < 0 ||
        (t->tower.layers > 0 ? start_pictures(t, 1, folder, err)
                             : start_sequences(t, 1, folder, err)) < 0)
        return -1;
    return t->lora.r > 0 ? start_weights(t, adapters, err) : 0;
}

static int dump(const struct project *p, const char *id, const char *folder, struct arena *arena,
                struct err *err)
{
    const struct case_record *c = project_case(p, id);
    const struct model *model = c ? project_case_model(p, id) : NULL;
    if (!model || !model->shape)
        return err_set(err, ERR_USAGE, "%s: found no such case, or none with a shape", id);
    const struct training t = native_settings(c, model->shape, arena);
    return write_start(&t, folder, err);
}

int main(int argc, char **argv)
{
    struct arena arena;
    struct diags diags;
    struct project project;
    struct err err = ERR_INIT;
    if (argc != 4)
        return fputs("usage: dump_case RECORDS CASE FOLDER\n", stderr), 2;
    arena_init(&arena);
    diags_init(&diags, &arena);
    project_load(argv[1], &project, &arena, &diags); /* what cannot be read is no case */
    int rc = dump(&project, argv[2], argv[3], &arena, &err);
    if (rc < 0)
        fprintf(stderr, "%s\n", err.text);
    arena_release(&arena);
    return rc < 0;
}
