#include "trainer/training/batches.h"

#include "base/arena.h"
#include "trainer/device/device.h"
#include "trainer/training/train_settings.h"

#include <stdlib.h>
#include <string.h>

/* ---- tokens of one length ------------------------------------------------------------------- */

struct batch_counts batches_even_step(const struct training *t, int ranks)
{
    struct batch_counts c = {.sequences = (size_t)t->micro_batch *
                                          (size_t)t->gradient_accumulation * (size_t)ranks};
    size_t length = (size_t)t->sequence_length;
    c.tokens = c.real = c.sequences * length;
    c.pairs = c.tokens * length;
    c.targets = c.sequences * (t->targets_inside ? length - 1 : length);
    return c;
}

static uint64_t position_of(const struct batches *b, uint64_t batch, int rank)
{
    return (batch * (uint64_t)b->ranks + (uint64_t)rank) * (uint64_t)b->training->micro_batch;
}

/* On the reader's thread. */
static void read_tokens(void *context, uint64_t batch, struct reader_batch *into)
{
    struct batches *b = context;
    const struct training *t = b->training;
    size_t length = (size_t)t->sequence_length;
    uint64_t position = position_of(b, batch, b->rank);
    for (int i = 0; i < t->micro_batch; i++) {
        data_sample(b->data, position + (uint64_t)i, b->sample);
        memcpy(into->inputs + i * length, b->sample, length * sizeof *into->inputs);
        memcpy(into->targets + i * length, b->sample + 1, length * sizeof *into->targets);
        if (t->targets_inside)
            into->targets[(i + 1) * length - 1] = TARGET_NONE;
    }
}

/* ---- conversations -------------------------------------------------------------------------- */

/* In front of a batch's places and pixels, which lie behind it. */
struct conversation_head {
    int length, pictures;
    size_t targets_here;
    struct batch_counts step;
};

static size_t batch_places_of(const struct batches *b)
{
    return (size_t)b->training->micro_batch * (size_t)b->conversations->wish.picture_rows;
}

static int32_t *places_behind(const struct conversation_head *head)
{
    return (int32_t *)(uintptr_t)(head + 1);
}

static uint8_t *pixels_behind(const struct batches *b, const struct conversation_head *head)
{
    return (uint8_t *)(places_behind(head) + batch_places_of(b));
}

static struct batch_counts count_step_of(struct batches *b, uint64_t batch)
{
    const struct training *t = b->training;
    uint64_t first =
        batch / (uint64_t)t->gradient_accumulation * (uint64_t)t->gradient_accumulation;
    struct conversation_counts counts = {.real = 0};
    for (int i = 0; i < t->gradient_accumulation * b->ranks; i++)
        conversations_count(b->conversations, position_of(b, first, i), t->micro_batch, &counts);
    return (struct batch_counts){.sequences = batches_even_step(t, b->ranks).sequences,
                                 .tokens = counts.padded,
                                 .real = counts.real,
                                 .pairs = counts.pairs,
                                 .targets = counts.targets,
                                 .pictures = counts.pictures};
}

static void read_conversations(void *context, uint64_t batch, struct reader_batch *into)
{
    struct batches *b = context;
    struct conversation_head *head = into->more;
    uint64_t position = position_of(b, batch, b->rank);
    struct conversation_counts here = {.real = 0};
    struct conversation_batch read = {.inputs = into->inputs,
                                      .targets = into->targets,
                                      .places = places_behind(head),
                                      .pixels = pixels_behind(b, head)};
    conversations_count(b->conversations, position, b->training->micro_batch, &here);
    conversations_read(b->conversations, position, b->training->micro_batch, &read);
    *head = (struct conversation_head){.length = read.length,
                                       .pictures = read.pictures,
                                       .targets_here = here.targets,
                                       .step = count_step_of(b, batch)};
}

/* ---- either --------------------------------------------------------------------------------- */

static int open_conversations(struct batches *b, int round, struct err *err)
{
    const struct training *t = b->training;
    bool generated = strcmp(t->data_kind, "generated") == 0;
    const struct conversations_wish wish = {.path = generated ? NULL : t->data_path,
                                            .sha256 = t->data_sha256,
                                            .vocabulary = t->vocab,
                                            .side = t->tower.side,
                                            .picture_rows = tower_patches(&t->tower),
                                            .length = t->sequence_length,
                                            .round = round,
                                            .questions = !t->projector_alone,
                                            .grouped = t->grouped,
                                            .ranks = 1,
                                            .micro_batch = t->micro_batch,
                                            .seed = t->seed};
    if (conversations_open(&b->conversations, &wish, err) < 0)
        return -1;
    b->sha256 = b->conversations->sha256;
    b->tokens = b->conversations->rows;
    b->samples = b->conversations->samples;
    b->unigram_entropy_nats = b->conversations->unigram_entropy_nats;
    return 0;
}

int batches_open(struct batches *b, const struct training *t, int round, struct err *err)
{
    struct data_source source = training_data_source(t);
    *b = (struct batches){.training = t};
    if (t->tower.layers > 0)
        return open_conversations(b, round, err);
    if (data_open(&b->data, &source, err) < 0)
        return -1;
    b->sha256 = b->data->sha256;
    b->tokens = b->data->file.tokens;
    b->samples = b->data->samples;
    b->unigram_entropy_nats = b->data->unigram_entropy_nats;
    return 0;
}

void batches_close(struct batches *b)
{
    if (b->reader)
        reader_close(b->reader);
    data_close(b->data);
    conversations_close(b->conversations);
    free(b->sample);
    *b = (struct batches){.training = NULL};
}

int batches_begin(struct batches *b, int rank, int ranks, int steps_taken, struct err *err)
{
    const struct training *t = b->training;
    uint64_t of_step = (uint64_t)t->gradient_accumulation;
    struct reader_plan plan = {.first = of_step * (uint64_t)steps_taken,
                               .end = of_step * (uint64_t)t->steps,
                               .tokens = (size_t)t->micro_batch * (size_t)t->sequence_length,
                               .read = read_tokens,
                               .context = b};
    b->rank = rank;
    b->ranks = ranks;
    if (b->conversations) {
        b->conversations->wish.ranks = ranks;
        plan.read = read_conversations;
        size_t side = (size_t)b->conversations->wish.side;
        plan.more = sizeof(struct conversation_head) + batch_places_of(b) * sizeof(int32_t) +
                    ((size_t)b->training->micro_batch * side * side * 3);
    }
    b->sample = memory_alloc(((size_t)t->sequence_length + 1) * sizeof *b->sample);
    return reader_open(&b->reader, &plan, err);
}

void batches_next(struct batches *b, double *waited, struct batch *out)
{
    const struct training *t = b->training;
    const struct reader_batch *read = reader_next(b->reader, waited);
    *out = (struct batch){
        .inputs = read->inputs, .targets = read->targets, .length = t->sequence_length};
    if (b->conversations) {
        const struct conversation_head *head = read->more;
        out->length = head->length;
        out->targets_here = head->targets_here;
        out->pictures = head->pictures;
        out->places = places_behind(head);
        out->pixels = pixels_behind(b, head);
        out->step = head->step;
        return;
    }
    out->step = batches_even_step(t, b->ranks);
    out->targets_here = out->step.targets / (size_t)(t->gradient_accumulation * b->ranks);
}
