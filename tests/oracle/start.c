#include "tests/oracle/start.h"

#include "tests/trainer_ground.h"
#include "trainer/data/conversations.h"
#include "trainer/data/data.h"
#include "trainer/training/batches.h"
#include "trainer/training/llava_files.h"
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

/* ---- of a model that sees ------------------------------------------------------------------- */

static int start_tower(const struct training *t, const char *folder, struct err *err)
{
    char path[4096];
    struct device *device;
    struct tower *tower = NULL;
    snprintf(path, sizeof path, "%s/tower.safetensors", folder);
    if (device_cpu_open(&device, err) < 0)
        return -1;
    int rc = tower_new(&tower, &t->tower, 1, device, err);
    if (rc == 0)
        rc = tower_draw(tower, (float)t->init_std, t->seed, err);
    if (rc == 0)
        rc = llava_tower_save(tower, path, err);
    tower_free(tower);
    device_close(device);
    return rc;
}

static void write_numbers(FILE *f, const char *name, const struct token_file *from, int64_t begin,
                          int64_t end)
{
    fprintf(f, "\"%s\": [", name);
    for (int64_t i = begin; i < end; i++)
        fprintf(f, "%s%lld", i > begin ? ", " : "",
                (long long)from->format->read(from->bytes + (size_t)i * from->format->bytes));
    fprintf(f, "]");
}

static void write_samples(struct conversations *c, uint64_t n, FILE *samples, FILE *pixels)
{
    const struct token_file *files = c->files;
    const struct token_file *offsets = &files[CONVERSATION_OFFSETS];
    const struct token_file *pictures = &files[CONVERSATION_PICTURES];
    size_t bytes = (size_t)c->wish.side * (size_t)c->wish.side * 3;
    int seen = 0;
    fprintf(samples, "[");
    for (uint64_t p = 0; p < n; p++) {
        size_t i = conversations_sample(c, p);
        int64_t begin = offsets->format->read(offsets->bytes + 8 * i);
        int64_t end = offsets->format->read(offsets->bytes + 8 * (i + 1));
        int64_t picture = pictures->format->read(pictures->bytes + 4 * i);
        fprintf(samples, "%s{", p ? ",\n " : "");
        write_numbers(samples, "tokens", &files[CONVERSATION_TOKENS], begin, end);
        fprintf(samples, ", ");
        write_numbers(samples, "labels", &files[CONVERSATION_LABELS], begin, end);
        fprintf(samples, ", \"picture\": %d}", picture < 0 ? -1 : seen++);
        if (picture >= 0)
            fwrite(files[CONVERSATION_PIXELS].bytes + (size_t)picture * bytes, 1, bytes, pixels);
    }
    fprintf(samples, "]\n");
}

int start_pictures(const struct training *t, int ranks, const char *folder, struct err *err)
{
    struct batches b;
    if (start_tower(t, folder, err) < 0 || batches_open(&b, t, 1, err) < 0)
        return -1;
    FILE *samples = start_create(folder, "samples.json", err);
    FILE *pixels = start_create(folder, "pixels.u8", err);
    if (samples && pixels)
        write_samples(b.conversations, batches_even_step(t, ranks).sequences * (uint64_t)t->steps,
                      samples, pixels);
    int rc = samples ? start_finish(samples, "samples.json", err) : -1;
    rc = (pixels ? start_finish(pixels, "pixels.u8", err) : -1) < 0 ? -1 : rc;
    batches_close(&b);
    return rc;
}
