#include "verifier/logs/rows/pattern_rows.h"

static const struct pattern_name field_rows[FIELDS] = {
    [FIELD_STEP] = {"step", PATTERN_NUMBER},
    [FIELD_LOSS] = {"loss", PATTERN_NUMBER},
    [FIELD_MEAN] = {"mean", PATTERN_NUMBER},           /* the loss, smoothed over some steps */
    [FIELD_EPOCH] = {"epoch", PATTERN_NUMBER},         /* from 1 */
    [FIELD_EPOCH0] = {"epoch0", PATTERN_NUMBER},       /* from 0 */
    [FIELD_IN_EPOCH] = {"in_epoch", PATTERN_NUMBER},   /* the step in the epoch, from 1 */
    [FIELD_IN_EPOCH0] = {"in_epoch0", PATTERN_NUMBER}, /* from 0 */
    [FIELD_PER_EPOCH] = {"per_epoch", PATTERN_NUMBER}, /* steps of an epoch */
    [FIELD_SECONDS] = {"seconds", PATTERN_NUMBER},     /* of a step */
    [FIELD_MS] = {"ms", PATTERN_NUMBER},
    [FIELD_STEPS_PER_S] = {"steps_per_s", PATTERN_NUMBER},
    [FIELD_SAMPLES_PER_S] = {"samples_per_s", PATTERN_NUMBER}, /* of all cards */
    [FIELD_TOKENS_PER_S] = {"tokens_per_s", PATTERN_NUMBER},   /* of all cards */
    [FIELD_CARD_RATE] = {"card_tokens_per_s", PATTERN_NUMBER}, /* of a card */
    [FIELD_MFU] = {"mfu", PATTERN_NUMBER},                     /* percent */
    [FIELD_MFU_SHARE] = {"mfu_share", PATTERN_NUMBER},         /* from 0 to 1 */
    [FIELD_TFLOPS] = {"tflops", PATTERN_NUMBER},               /* of a card */
    [FIELD_GIB] = {"gib", PATTERN_NUMBER},                     /* of a card, in use */
    [FIELD_GB] = {"gb", PATTERN_NUMBER},                       /* the same, of 10^9 bytes */
    [FIELD_MIB] = {"mib", PATTERN_NUMBER},
    [FIELD_GRAD_NORM] = {"grad_norm", PATTERN_NUMBER},
    [FIELD_RANK] = {"rank", PATTERN_NUMBER},
};
const struct pattern_names pattern_row_fields = {field_rows, FIELDS};

/* clang-format off */
const struct pattern_row pattern_rows[] = {
    {"MindSpore", "*epoch: {epoch} step: {in_epoch}, loss is {loss}*", {NULL}},
    {"MindFormers", "*{{ Epoch:[{epoch}/{#}], step:[{in_epoch}/{per_epoch}], loss: {loss}, per_step_time: {ms}ms*", {NULL}},
    {"MindFormers", "*Epoch:[{epoch}/{#}], step:[{in_epoch}/{per_epoch}], loss:[{loss}/*], time:{ms} ms*", {NULL}},
    {"MindYOLO", "*Epoch {epoch}/{#}, Step {in_epoch}/{per_epoch},* loss: {loss}*", {NULL}},
    {"GPT-NeoX", "*samples/sec: {samples_per_s} | iteration {step}/{#} | elapsed time per iteration (ms): {ms} |* lm_loss: {loss}*", {NULL}},
    {"DeepSpeed pipeline", "*steps: {step} loss: {loss} iter time (s): {seconds} samples/sec: {samples_per_s}*", {NULL}},
    {"DeepSpeed pipeline", "*steps: {step} loss: {loss} iter time (s): {seconds}*", {NULL}},
    {"lingua", "*step: {step} acc: {#} loss: {loss} *", {"* grad: {grad_norm} *"}},
    {"TorchTitan", "*step:{step} loss:{loss} *", {"*memory: {gib}GiB*", "* tps: {card_tokens_per_s:,} *", "* wps: {card_tokens_per_s:,} *", "* tflops: {tflops:,} *", "* mfu: {mfu}%*", "* grad_norm: {grad_norm} *"}},
    {"NeMo", "*Training epoch {#}, iteration *global_step: {step} *reduced_train_loss: {loss} *in s: {seconds}*", {NULL}},
    {"NeMo", "*Training epoch {#}, iteration *global_step: {step} *reduced_train_loss: {loss}*", {NULL}},
    {"NeMo", "*reduced_train_loss={loss},* global_step={step}*", {NULL}},
    {"Lightning", "*Epoch {epoch0}:*%* {in_epoch}/{per_epoch} [*, loss={#}, v_num=*train_loss_step={loss}*", {NULL}},
    {"Lightning", "*Epoch {epoch0}:*%* {in_epoch}/{per_epoch} [*, loss={#}, v_num=*train/loss_step={loss}*", {NULL}},
    {"Lightning", "*Epoch {epoch0}:*%* {in_epoch}/{per_epoch} [*, loss={#}, v_num=*loss_step={loss}*", {NULL}},
    {"Lightning", "*Epoch {epoch0}:*%* {in_epoch}/{per_epoch} [*, loss={#}, v_num=*train_loss={loss}*", {NULL}},
    {"Lightning", "*Epoch {epoch0}:*%* {in_epoch}/{per_epoch} [*, loss={#}, v_num=*train/loss={loss}*", {NULL}},
    {"Lightning", "*Epoch {epoch0}:*%* {in_epoch}/{per_epoch} [*, loss={mean}, v_num=*", {NULL}},
    {"Lightning", "*Epoch {epoch0}:*%* {in_epoch}/{per_epoch} [*loss={loss}*", {NULL}},
    {"Lightning", "*Epoch {epoch0}:*%* {in_epoch}/{per_epoch} [*loss_step={loss}*", {NULL}},
    {"mmengine", "*Epoch(train) [{epoch}][{in_epoch}/{per_epoch}]* loss: {loss}*time: {seconds}*", {"* memory: {mib} *"}},
    {"mmengine", "*Epoch(train) [{epoch}][{in_epoch}/{per_epoch}]* loss: {loss}*", {"* memory: {mib} *"}},
    {"mmengine", "*Epoch(train) [{epoch}][{in_epoch}/{per_epoch}]loss: {loss}*", {NULL}},
    {"mmengine", "*Iter(train) [{step}/{#}]* loss: {loss}*", {"* time: {seconds} *", "* memory: {mib} *", "* grad_norm: {grad_norm}*"}},
    {"mmcv", "*Iter [{step}/{#}]* time: {seconds},* loss: {loss}*", {"* memory: {mib},*", "* grad_norm: {grad_norm}*"}},
    {"mmcv", "*Iter [{step}/{#}]* loss: {loss}*", {NULL}},
    {"mmcv", "*Epoch [{epoch}][{in_epoch}/{per_epoch}]* time: {seconds},* loss: {loss}*", {"* memory: {mib},*"}},
    {"mmcv", "*Epoch [{epoch}][{in_epoch}/{per_epoch}]* loss: {loss}*", {"* memory: {mib},*"}},
    {"PaddleOCR", "*epoch: [{#}/{#}], global_step: {step},* loss: {loss},*", {NULL}},
    {"PaddleDetection", "*Epoch: [{epoch0}] [{in_epoch0}/{per_epoch}] learning_rate:* loss: {loss}*", {"* batch_cost: {seconds} *", "* max_mem_allocated: {mib} MB*"}},
    {"PaddleClas", "*[Train][Epoch {epoch}/{#}][Iter: {in_epoch0}/{per_epoch}]* loss: {loss}*", {NULL}},
    {"PaddleNLP", "*global step {step}, epoch: {#}, batch: {#}, loss: {loss},*", {NULL}},
    {"PaddleNLP", "*global step {step}, loss: {loss},*", {"* speed: {steps_per_s} step*"}},
    {"PaddleOCR", "*epoch: [{#}/{#}], iter: {step},* loss: {loss},*", {NULL}},
    {"PaddleSeg", "*[TRAIN] epoch: {#}, iter: {step}/{#}, loss: {loss},*", {NULL}},
    {"PaddleSpeech", "*Train: Rank: {rank}, epoch: {#}, step: {step}, batch : *train_loss: {loss}*", {"* train time: {seconds}s,*"}},
    {"Paddle", "*iter: {step}, lr: {#}, 'loss': '{loss}'*", {NULL}},
    {"torchvision, MAE", "*Epoch: [{epoch0}] [{in_epoch0}/{per_epoch}]* loss: {loss} ({#}) * time: {seconds} *", {"*max mem: {mib}"}},
    {"torchvision, MAE", "*Epoch: [{epoch0}] [{in_epoch0}/{per_epoch}]* loss: {loss} (*", {NULL}},
    {"MAE", "*Epoch: [{epoch0}] [{in_epoch0}/{per_epoch}]* closs: {loss} (*", {NULL}},
    {"PyTorch example", "*Epoch: [{epoch0}][{in_epoch0}/{per_epoch}]* Loss {loss} (*", {NULL}},
    {"timm", "*Train: {epoch0} [{in_epoch0}/{per_epoch} (*)] Loss: {loss} (*", {NULL}},
    {"fairseq", "*epoch {#}:* loss={loss},* num_updates={step},*", {NULL}},
    {"fairseq", "*| epoch {epoch} {in_epoch} / {per_epoch} loss={loss} (*", {NULL}},
    {"fairseq-lua", "*| epoch {#} | {step} updates | words/s {tokens_per_s}| trainloss {loss} | train ppl *", {NULL}},
    {"Marian", "*Ep. {#} : Up. {step} : Sen. * : Cost {loss} : Time {#}s : {tokens_per_s} words/s*", {NULL}},
    {"Caffe", "*solver.cpp:*] Iteration {step}, loss = {loss}", {NULL}},
    {"Caffe", "*solver.cpp:*] Iteration {step} ({steps_per_s} iter/s, *), loss = {loss}", {NULL}},
    {"PyTorch/XLA", "*| Training Device=* Epoch={epoch} Step={in_epoch} Loss={loss} Rate={#} GlobalRate=*", {NULL}},
    {"llama.cpp", "*train_opt_callback: iter={step} sample=* loss={loss} dt=*", {NULL}},
    {"TensorFlow slim", "*global step {step}: loss = {loss} ({seconds} sec/step)*", {NULL}},
    {"TensorFlow estimator", "*loss = {loss}, step = {step}*", {NULL}},
    {"MaxText", "*completed step: {step}, seconds: {seconds},* loss: {loss}*", {"*TFLOP/s/device: {tflops},*", "*TFLOP/s: {tflops},*", "*Tokens/s/device: {card_tokens_per_s},*"}},
    {"NeMo AutoModel", "*step {step} | epoch {#} | loss {loss} *", {"*| mem {gib} GiB*", "*({card_tokens_per_s}/gpu)*", "*| grad_norm {grad_norm} |*"}},
    {"torchtune", "*Step {step} | loss:{loss} *", {"*tokens_per_second_per_gpu:{card_tokens_per_s} *", "*peak_memory_alloc:{gib} *", "*grad_norm:{grad_norm}*"}},
    {"DLLogger", "*Training Iteration: {step} step_loss : {loss} *", {NULL}},
    {"LitGPT", "*iter {#} step {step} | loss train: {loss}, *iter time: {ms} ms*", {NULL}},
    {"LitGPT", "*iter {#} step {step}: loss {loss}, iter time: {ms}ms*", {NULL}},
    {"LitGPT", "*iter {#} | step {step}: loss {loss}, iter time: {ms} ms*", {NULL}},
    {"LitGPT", "*iter {#} | step {step}: loss train {loss}, val *| iter time: {ms} ms*", {NULL}},
    {"LitGPT", "*iter {#} | step {step}: loss train (curr): {loss}, val *| iter time: {ms} ms*", {NULL}},
    {"minimal GPT", "*step {step}/{#} | step-time {seconds} sec | cross-entropy-loss {loss} *", {NULL}},
    {"MiniMind", "*iters: {in_epoch}, epoch: {epoch} | loss: {loss}*", {NULL}},
    {"build-nanogpt", "{step} | loss {loss} | lr {#} | {ms}ms*", {NULL}},
    {"nanoGPT", "*iter {step}: loss {loss},* time {ms}ms*", {"*mfu {mfu}%*"}},
    {"nanochat", "*step {step}/{#} ({#}%) | loss: {mean} |*", {"*grad norm: {grad_norm} |*", "*| dt: {ms}ms |*", "*tok/sec: {tokens_per_s:,} |*", "* mfu: {mfu} |*", "*_mfu: {mfu} |*"}},
    {"nanochat", "*step {step}/{#} ({#}%) | grad norm: {grad_norm} | loss: {mean} |*", {"*| dt: {ms}ms |*", "*tok/sec: {tokens_per_s:,} |*", "* mfu: {mfu} |*", "*_mfu: {mfu} |*"}},
    {"nanochat", "*step {step} ({#}%) | loss: {mean} |*", {"*| dt: {ms}ms |*", "*tok/sec: {tokens_per_s:,} |*", "* mfu: {mfu} |*", "*_mfu: {mfu} |*"}},
    {"nanochat", "*Step {step}/{#} | Training loss: {loss}|*", {NULL}},
    {"llm.c", "*step {step}/{#} | train loss {loss} |*", {"*| {ms} ms |*", "*({ms} ms |*", "*| {mfu}% A100 fp16 MFU |*", "*| {tokens_per_s} tok/s*", "*| norm {grad_norm} |*"}},
    {"llm.c", "*step {step}/{#} | loss {loss} *", {"*| {ms} ms |*", "*| {mfu}% bf16 MFU |*", "*| {tokens_per_s} tok/s*"}},
    {"llm.c", "*step {step}/{#}: train loss {loss} ({ms} ms, {tokens_per_s} tok/s)*", {NULL}},
    {"llm.c", "*step {step}/{#}: train loss {loss} (acc {#}) ({ms} ms, {tokens_per_s} tok/s)*", {NULL}},
    {"llm.c", "*step {step}/{#}: train loss {loss} *", {NULL}},
    {"build-nanogpt", "*step {step} | loss: {loss} *", {"*dt: {ms}ms*", "*tok/sec: {tokens_per_s}*"}},
    {"minimal GPT", "*step {step}, loss: {loss}*", {NULL}},
    {"MiniMind", "*Epoch:[{epoch0}/{#}]({in_epoch0}/{per_epoch}) loss:{loss} *", {NULL}},
    {"llm.c", "*step {step}: train loss {loss} (took {ms} ms)*", {NULL}},
    {"nanotron", "*iteration: {step} / {#} |*elapsed_time_per_iteration_ms: {ms:K} | tokens_per_sec: {tokens_per_s:K} |*lm_loss: {loss} *", {"*tokens_per_sec_per_gpu: {card_tokens_per_s:K} |*", "*model_tflops_per_gpu: {tflops} *", "*grad_norm: {grad_norm}*"}},
    {"InternLM", "*tflops={#},step={step},loss={loss},tgs (*", {"*tgs (tokens/gpu/second)={card_tokens_per_s},*", "*grad_norm={grad_norm},*"}},
    {"prime", "*step: {step}, loss: {loss},*tokens_per_second: {#}, mfu: {mfu}*", {NULL}},
    {"prime", "*step: {step}, loss: {loss}, tokens_per_second: {#}*", {NULL}},
    {"minFM", "*Step {step} | Loss: {loss} | LR: {#} | GradNorm: *", {"*GradNorm: {grad_norm} *"}},
    {"ChatGLM-Finetuning", "loss:{loss}, global_step:{step}", {NULL}},
    {"mlx-lm", "*Iter {step}: Train loss {loss}, Learning Rate *", {"*It/sec {steps_per_s},*", "*Tokens/sec {tokens_per_s},*", "*Peak mem {gb} GB*"}},
    {"mlx-lm", "*Iter {step}: Train loss {loss}, It/sec {steps_per_s}, Tokens/sec {tokens_per_s}*", {NULL}},
    {"BigDL", "*[Iteration {step}][Wall Clock {#}s] Train {#} in {seconds}seconds. Throughput is {samples_per_s} records/second. Loss is {loss}. *", {NULL}},
    {"nanotron", "*iteration: {step} / {#} |*time_per_iteration_ms: {ms:K} | tokens_per_sec: {tokens_per_s:K} |*lm_loss: {loss} *", {"*tokens_per_sec_per_gpu: {card_tokens_per_s:K} |*", "*model_tflops_per_gpu: {tflops} *", "*grad_norm: {grad_norm}*"}},
    {"prime-rl", "*Step {step} | Time: {seconds}s | Loss: {loss} |*", {"*| Throughput: {tokens_per_s} tokens/s*", "*| MFU: {mfu}%*", "*| Peak Mem.: {gib} GiB*", "*| Peak Mem.: {gib}/{#} GiB*", "*Grad. Norm: {grad_norm} |*"}},
    {"picotron", "*Step: {step} | Loss: {loss} |*", {"*| Tokens/s: {tokens_per_s:K} |*", "*| Tokens/s/GPU: {card_tokens_per_s:K} |*", "*| MFU: {mfu}% |*", "*| Memory usage: {gb}GB*"}},
    {"verl", "*step:{step} -* train/loss:{loss} -*", {"*train/time(s):{seconds}*"}},
    {"verl", "*step:{step} -* train/loss:{loss}", {NULL}},
    {"verl", "*step:{step} -* actor/pg_loss:{loss} -*", {"* actor/grad_norm:{grad_norm} -*", "* perf/throughput:{card_tokens_per_s} *", "* perf/time_per_step:{seconds} *", "* perf/mfu/actor:{mfu_share} *", "* perf/max_memory_allocated_gb:{gib} *"}},
    {"ColossalAI", "*[{step}/{#}] Loss:{loss}, Step time: {seconds}s, TFLOPS: {tflops}*", {NULL}},
    {"FastFold", "*Training, Epoch: {#}, Step: {#}, Global_Step: {step}, Loss:{loss}*", {NULL}},
    {"DeepSpeed-Chat", "*Epoch: {epoch0}, Step: {in_epoch0}, Rank: {rank}, loss = {loss}*", {NULL}},
    {"DeepSpeed-Chat", "*Epoch: {epoch0} | Step: {in_epoch0} | PPO Epoch: {#} | Actor Loss: {loss} |*", {NULL}},
    {"DeepSpeed-Chat", "*epoch: {epoch0}|step: {in_epoch0}|ppo_ep: {#}|act_loss: {loss}|*", {NULL}},
    {"tinygrad", "{step} {seconds} s run, {loss} loss, {#} LR, *", {NULL}},
    {"tinygrad", "{step} {ms} ms run, *ms python, * {loss} loss, *LR, *", {NULL}},
    {"torchtune", "{#}|{step}|Loss: {loss}: *", {NULL}},
    {"torchtune", "{#}|{step}|Loss: {loss}", {NULL}},
    {"LiBai", "*iteration: {step}/{#} consumed_samples: {#} total_loss: {mean} *", {"* time: {seconds} s/iter*", "* total_throughput: {samples_per_s} samples/s*"}},
    {"detectron2", "*eta: * iter: {step} total_loss: {mean} *", {"* time: {seconds} *", "* max_mem: {mib}M*"}},
    {"BMTrain", "*| Iter: {step} | loss: {loss} average_loss: {#} |*", {"*| time: {seconds} *"}},
    {"Transformer-XL", "*| epoch {#} step {step} | {#} batches | lr {#} | ms/batch {ms} | loss {loss} |*", {NULL}},
    {"Transformer-XL", "*| epoch {#} step {step} | batches {#} / {#} | lr {#} | ms/batch {ms} | tok/s {tokens_per_s} | loss {loss} |*", {NULL}},
    {"PyTorch example", "*| epoch {epoch} | {in_epoch}/ {per_epoch} batches | lr {#} | ms/batch {ms} | loss {loss} | ppl *", {NULL}},
    {"GluonNLP", "*Epoch: {epoch}, Batch: {in_epoch}/{per_epoch}, Loss span/answer/total={#}/{#}/{loss},*", {"* grad_norm={grad_norm}. *"}},
    {"icefall", "*Epoch {epoch}, batch {in_epoch0}, loss[loss={loss},*", {NULL}},
    {"icefall", "*Epoch {epoch}, batch {in_epoch0}, loss[*, loss={loss}, over *", {NULL}},
    {"ESPnet", "*{epoch}epoch:train:{#}-{in_epoch}batch:*, loss={loss},*", {"*, train_time={seconds}*"}},
    {"Flax", "*Step... ({step} | Loss: {loss},*", {NULL}},
    {"Pax", "*step_i: {step}, training loss: {loss}*", {NULL}},
    {"TensorFlow models", "*Train Step: {step}/{#} / loss = {loss}*", {NULL}},
    {"diffusers", "*Steps: *| {step}/{#} [*step_loss={loss}*", {NULL}},
    {"sd-scripts", "*steps: *| {step}/{#} [*avr_loss={mean}*", {NULL}},
    {NULL, NULL, {NULL}},
};
/* clang-format on */

/* What stands in an example for a field; for all others 1. */
static const struct {
    const char *name, *value;
} examples[] = {
    {"step", "12"}, {"loss", "2.5"},    {"mean", "2.5"},     {"epoch", "1"},      {"epoch0", "0"},
    {"-", "word"},  {"in_epoch", "12"}, {"in_epoch0", "11"}, {"per_epoch", "90"}, {"#", "100"},
};

static void add_example(struct span field, struct buf *out)
{
    struct span name = span_cut(&field, ':');
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (span_is(name, examples[i].name)) {
            buf_str(out, examples[i].value);
            return;
        }
    buf_str(out, "1");
}

void pattern_row_example(const struct pattern_row *row, struct buf *out)
{
    const char *at = row->line;
    while (*at) {
        bool doubled = (*at == '{' || *at == '*') && at[1] == *at;
        if (*at == '{' && !doubled) {
            struct span rest = span_of(at + 1);
            add_example(span_cut(&rest, '}'), out);
            at = rest.p;
            continue;
        }
        if (*at == '*' && !doubled)
            buf_str(out, at == row->line || !at[1] ? "" : "…");
        else
            buf_char(out, *at);
        at += 1 + doubled;
    }
}
