#include "tests/oracle/start.h"

#include "tests/trainer_ground.h"
#include "trainer/data/data.h"
#include "trainer/training/model_files.h"
#include "trainer/training/train_settings.h"

#include <stdlib.h>

FILE *start_create(const char *folder, const char *name, struct err *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f)
        err_errno(err, ERR_IO, "%s", path);
    return f;
}

int start_finish(FILE *f, const char *name, struct err *err)
{
    bool bad = ferror(f);
    return fclose(f) != 0 || bad ? err_set(err, ERR_IO, "%s: cannot write", name) : 0;
}

int start_weights(const struct training *t, const char *folder, struct err *err)
{
    struct model_shape shape = training_model_shape(t);
    struct adamw adamw = training_adamw(t);
    struct transfer transfer = {.room = NULL};
    struct ground g;
    if (ground_open(&g, &shape, &adamw, err) < 0)
        return -1;
    int rc = weights_initialise(&g.optimizer, (float)t->init_std, t->seed, err);
    if (rc == 0)
        rc = transfer_init(&transfer, &g.optimizer, err);
    if (rc == 0)
        rc = model_folder_save(&transfer, t, folder, err);
    transfer_release(&transfer);
    ground_close(&g);
    return rc;
}

int start_sequences(const struct training *t, int ranks, const char *folder, struct err *err)
{
    const struct data_source source = training_data_source(t);
    uint64_t sequences = (uint64_t)t->steps * t->gradient_accumulation * t->micro_batch * ranks;
    size_t length = (size_t)t->sequence_length + 1;
    struct data *data = NULL;
    if (data_open(&data, &source, err) < 0)
        return -1;
    FILE *f = start_create(folder, "sequences.i32", err);
    int32_t *tokens = calloc(length, sizeof *tokens);
    for (uint64_t i = 0; f && tokens && i < sequences; i++) {
        data_sample(data, i, tokens);
        fwrite(tokens, sizeof *tokens, length, f);
    }
    free(tokens);
    data_close(data);
    return f ? start_finish(f, "sequences.i32", err) : -1;
}
