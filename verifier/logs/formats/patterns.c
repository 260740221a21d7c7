/*
 * Frameworks whose report is one line of fixed words with numbers between them, each a row of the
 * table below, written as base/lines/pattern.h says. The fields are those of the table of names.
 *
 * Where a framework counts its steps in each epoch anew, the curve counts on from 1; where it does
 * not say how many steps an epoch has, by the last step of the epoch before.
 */
#include "base/lines/pattern.h"
#include "verifier/logs/log_add.h"
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_say.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum log_field {
    FIELD_STEP,
    FIELD_LOSS,
    FIELD_EPOCH,
    FIELD_EPOCH0,
    FIELD_IN_EPOCH,
    FIELD_IN_EPOCH0,
    FIELD_PER_EPOCH,
    FIELD_SECONDS,
    FIELD_MS,
    FIELD_SAMPLES_PER_S,
    FIELD_TOKENS_PER_S,
    FIELD_MFU,
    FIELDS
};

static const struct pattern_name field_rows[FIELDS] = {
    [FIELD_STEP] = {"step", PATTERN_NUMBER},
    [FIELD_LOSS] = {"loss", PATTERN_NUMBER},
    [FIELD_EPOCH] = {"epoch", PATTERN_NUMBER},         /* from 1 */
    [FIELD_EPOCH0] = {"epoch0", PATTERN_NUMBER},       /* from 0 */
    [FIELD_IN_EPOCH] = {"in_epoch", PATTERN_NUMBER},   /* the step in the epoch, from 1 */
    [FIELD_IN_EPOCH0] = {"in_epoch0", PATTERN_NUMBER}, /* from 0 */
    [FIELD_PER_EPOCH] = {"per_epoch", PATTERN_NUMBER}, /* steps of an epoch */
    [FIELD_SECONDS] = {"seconds", PATTERN_NUMBER},     /* of a step */
    [FIELD_MS] = {"ms", PATTERN_NUMBER},
    [FIELD_SAMPLES_PER_S] = {"samples_per_s", PATTERN_NUMBER}, /* of all cards */
    [FIELD_TOKENS_PER_S] = {"tokens_per_s", PATTERN_NUMBER},   /* of all cards */
    [FIELD_MFU] = {"mfu", PATTERN_NUMBER},                     /* percent */
};
static const struct pattern_names fields = {field_rows, FIELDS};

static const char *const rows[] = {
    /* MindSpore's LossMonitor; MindFormers, new and old; MindYOLO */
    "*epoch: {epoch} step: {in_epoch}, loss is {loss}*",
    "*{{ Epoch:[{epoch}/{#}], step:[{in_epoch}/{per_epoch}], loss: {loss}, per_step_time: {ms}ms*",
    "*Epoch:[{epoch}/{#}], step:[{in_epoch}/{per_epoch}], loss:[{loss}/*], time:{ms} ms*",
    "*Epoch {epoch}/{#}, Step {in_epoch}/{per_epoch},* loss: {loss}*",
    /* GPT-NeoX */
    "*samples/sec: {samples_per_s} | iteration {step}/{#} | elapsed time per iteration (ms): {ms} "
    "|* lm_loss: {loss}*",
    /* DeepSpeed's pipeline engine */
    "*steps: {step} loss: {loss} iter time (s): {seconds} samples/sec: {samples_per_s}*",
    "*steps: {step} loss: {loss} iter time (s): {seconds}*",
    /* torchtitan */
    "*step:{step} loss:{loss} *",
    /* NeMo: lines and bars */
    "*Training epoch {#}, iteration *global_step: {step} *reduced_train_loss: {loss} *in s: "
    "{seconds}*",
    "*Training epoch {#}, iteration *global_step: {step} *reduced_train_loss: {loss}*",
    "*reduced_train_loss={loss},* global_step={step}*",
    /* Lightning's bar */
    "*Epoch {epoch0}:*| {in_epoch}/{per_epoch} [*loss={loss}*",
    "*Epoch {epoch0}: *% {in_epoch}/{per_epoch} [*loss={loss}*",
    "*Epoch {epoch0}:*| {in_epoch}/{per_epoch} [*loss_step={loss}*",
    /* mmengine (XTuner), mmcv */
    "*Epoch(train) [{epoch}][{in_epoch}/{per_epoch}]* loss: {loss}*time: {seconds}*",
    "*Epoch(train) [{epoch}][{in_epoch}/{per_epoch}]* loss: {loss}*",
    "*Epoch(train) [{epoch}][{in_epoch}/{per_epoch}]loss: {loss}*",
    "*Iter(train) [{step}/{#}]* loss: {loss}*",
    "*Epoch [{epoch}][{in_epoch}/{per_epoch}]* time: {seconds},* loss: {loss}*",
    "*Epoch [{epoch}][{in_epoch}/{per_epoch}]* loss: {loss}*",
    /* Paddle: OCR, detection, classification, language models without the trainer */
    "*epoch: [{#}/{#}], global_step: {step},* loss: {loss},*",
    "*Epoch: [{epoch0}] [{in_epoch0}/{per_epoch}] learning_rate:* loss: {loss}*",
    "*[Train][Epoch {epoch}/{#}][Iter: {in_epoch0}/{per_epoch}]* loss: {loss}*",
    "*global step {step}, epoch: {#}, batch: {#}, loss: {loss},*",
    "*global step {step}, loss: {loss},*",
    "*epoch: [{#}/{#}], iter: {step},* loss: {loss},*",
    "*[TRAIN] epoch: {#}, iter: {step}/{#}, loss: {loss},*",
    "*iter: {step}, lr: {#}, 'loss': '{loss}'*",
    /* torchvision, MAE and what follows them; PyTorch's example; timm */
    "*Epoch: [{epoch0}] [{in_epoch0}/{per_epoch}]* loss: {loss} ({#}) * time: {seconds} *",
    "*Epoch: [{epoch0}] [{in_epoch0}/{per_epoch}]* loss: {loss} (*",
    "*Epoch: [{epoch0}] [{in_epoch0}/{per_epoch}]* closs: {loss} (*",
    "*Epoch: [{epoch0}][{in_epoch0}/{per_epoch}]* Loss {loss} (*",
    "*Train: {epoch0} [{in_epoch0}/{per_epoch} (*)] Loss: {loss} (*",
    /* fairseq */
    "*epoch {#}:* loss={loss},* num_updates={step},*",
    /* TensorFlow's estimators and slim */
    "*global step {step}: loss = {loss} ({seconds} sec/step)*",
    "*loss = {loss}, step = {step}*",
    /* MaxText, NeMo AutoModel, torchtune, DLLogger, LitGPT in three generations */
    "*completed step: {step}, seconds: {seconds},* loss: {loss}*",
    "*step {step} | epoch {#} | loss {loss} *",
    "*Step {step} | loss:{loss} *",
    "*Training Iteration: {step} step_loss : {loss} *",
    "*iter {#} step {step} | loss train: {loss}, *iter time: {ms} ms*",
    "*iter {#} step {step}: loss {loss}, iter time: {ms}ms*",
    "*iter {#} | step {step}: loss {loss}, iter time: {ms} ms*",
    /* nanoGPT, llm.c and their kin */
    "*step {step}/{#} | step-time {seconds} sec | cross-entropy-loss {loss} *",
    "*iters: {in_epoch}, epoch: {epoch} | loss: {loss}*",
    "{step} | loss {loss} | lr {#} | {ms}ms*",
    "*iter {step}: loss {loss}, time {ms}ms*",
    "*step {step}/{#} | loss {loss} *",
    "*step {step}/{#}: train loss {loss} *",
    "*step {step} | loss: {loss} *",
    "*step {step}, loss: {loss}*",
    "*Epoch:[{epoch0}/{#}]({in_epoch0}/{per_epoch}) loss:{loss} *",
    "*step {step}: train loss {loss} (took {ms} ms)*",
    /* nanotron, InternLM, prime-rl, minFM, ChatGLM-Finetuning, mlx-lm, BigDL */
    "*iteration: {step} / {#} |*elapsed_time_per_iteration_ms: {ms:K} | tokens_per_sec: "
    "{tokens_per_s:K} |*lm_loss: {loss} *",
    "*tflops={#},step={step},loss={loss},tgs (*",
    "*step: {step}, loss: {loss}, tokens_per_second: {#}, mfu: {mfu}",
    "*step: {step}, loss: {loss}, tokens_per_second: {#}*",
    "*Step {step} | Loss: {loss} | LR: {#} | GradNorm: *",
    "loss:{loss}, global_step:{step}",
    "*Iter {step}: Train loss {loss}, Learning Rate *",
    "*[Iteration {step}][Wall Clock {#}s] Train {#} in {seconds}seconds. Throughput is "
    "{samples_per_s} records/second. Loss is {loss}. *",
};
#define ROWS (sizeof rows / sizeof *rows)

struct of_file {
    struct pattern_set *rows; /* NULL: no line has asked for them */
    /* Where epochs do not say how long they are: the last report, and the steps in front of its
     * epoch. */
    double epoch, step, begins;
};

/* A step inside of its epoch becomes one of the whole training. */
static double step_of(struct log_reader *r, const struct pattern_found *f)
{
    struct of_file *at = r->of_format;
    double epoch0 = pattern_number(f, FIELD_EPOCH0), in_epoch0 = pattern_number(f, FIELD_IN_EPOCH0);
    double epoch = isnan(epoch0) ? pattern_number(f, FIELD_EPOCH) - 1 : epoch0;
    double step = isnan(in_epoch0) ? pattern_number(f, FIELD_IN_EPOCH) : in_epoch0 + 1;
    double stated = pattern_number(f, FIELD_STEP), per_epoch = pattern_number(f, FIELD_PER_EPOCH);
    if (!isnan(stated))
        return stated;
    if (!isnan(per_epoch))
        return epoch * per_epoch + step;
    if (epoch > at->epoch)
        at->begins += at->step;
    at->epoch = epoch;
    at->step = step;
    return at->begins + step;
}

static void add_found(struct log_reader *r, const struct pattern_found *f)
{
    struct log_point p = log_point_at(r, step_of(r, f));
    double ms = pattern_number(f, FIELD_MS);
    log_set(&p, offsetof(struct log_point, loss), pattern_number(f, FIELD_LOSS));
    p.seconds = isnan(ms) ? pattern_number(f, FIELD_SECONDS) : ms / 1000;
    p.samples_per_s = pattern_number(f, FIELD_SAMPLES_PER_S);
    p.tokens_per_s = pattern_number(f, FIELD_TOKENS_PER_S);
    log_add_point(r, &p);
    log_note_most(&r->log->mfu, pattern_number(f, FIELD_MFU), r->line);
}

/* All rows have a loss. They are compiled when the first line might be one of theirs: most logs
 * have none. A row that cannot be compiled ends the table: the tests compile it. */
static bool read_patterns_line(struct log_reader *r, struct span s)
{
    struct of_file *at = r->of_format;
    struct pattern_found f;
    struct err err = ERR_INIT;
    if (span_find(s, "oss") == s.n)
        return false;
    if (!at->rows && pattern_set_new(rows, ROWS, &fields, r->arena, &at->rows, &err) < 0)
        return false;
    if (pattern_set_match(at->rows, s, 0, &f) == PATTERN_NONE)
        return false;
    add_found(r, &f);
    return true;
}

const struct log_format log_format_patterns = {
    .name = "patterns",
    .reads = "a table of other frameworks whose report is one line",
    .sample = "epoch: 1 step: 5, loss is 2.5",
    .steps = true,
    .anywhere = true,
    .state_bytes = sizeof(struct of_file),
    .read = read_patterns_line,
};
