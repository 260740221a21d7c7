/* log: lines at the edge of what each format reads, and what is left of them. Each row is a log,
 * and all that was read of it: its format, steps and losses, values, and what was found. */
#include "tests/unit/log_text.h"

#include <stdio.h>
#include <stdlib.h>

/* "perflog 7=2.5 8=-; MFU=0.5 ! message": '-' is a step without a loss. */
static const char *told(struct fixture *f)
{
    struct buf b;
    buf_init(&b, 1 << 20);
    buf_str(&b, f->log.format ? f->log.format : "nothing");
    for (size_t i = 0; i < f->log.n_points; i++)
        if (f->log.points[i].has_loss)
            buf_printf(&b, " %.15g=%.15g", f->log.points[i].step, f->log.points[i].loss);
        else
            buf_printf(&b, " %.15g=-", f->log.points[i].step);
    for (size_t i = 0; i < f->log.n_values; i++)
        buf_printf(&b, "; %s=%.15g", f->log.values[i].key, f->log.values[i].value);
    for (size_t i = 0; i < f->diags.n; i++)
        if (!strstr(f->diags.items[i].message, "closest known format"))
            buf_printf(&b, " ! %s", f->diags.items[i].message);
    const char *text = arena_strndup(&f->arena, b.data, b.len);
    buf_release(&b);
    return text;
}

struct sample {
    const char *text, *told;
};

static void assert_told(const struct sample *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct fixture f;
        READ(&f, rows[i].text);
        const char *found = told(&f);
        if (strcmp(found, rows[i].told) != 0)
            fail_msg("%s\n  gave     %s\n  expected %s", rows[i].text, found, rows[i].told);
        arena_release(&f.arena);
    }
}

#define TOLD(rows) assert_told(rows, sizeof(rows) / sizeof *(rows))
#define NOTHING "nothing ! none of the 1 lines matches a known log format"

static void steps_of_deepspeed(void **state)
{
    (void)state;
    static const struct sample rows[] = {
        {"Step x/2, Loss: 3\n", NOTHING},
        {"Step 1 of 2, Loss: 3\n", NOTHING},
        {"Step 1/x, Loss: 3\n", NOTHING},
        {"Step 1/1, lost: 3\n", NOTHING},
        {"Step 1/1, Loss - 3\n", NOTHING},
        {"Step 1/1, Loss: x\n", "deepspeed 1=nan"}, /* a step whose loss is no number */
        {"Step 1/1 Loss: 3\n", "deepspeed 1=3"},
        {"Step 1/1, the mean Loss : 3\n", "deepspeed 1=3"},
        {"Step nan/2, Loss: 3\n", "nothing"},
        {"Step 1/inf, Loss: 3\n", "deepspeed 1=3"},
        {"Step 1/1, Loss: inf\n", "deepspeed 1=inf"},
        {"RunningAvgSamplesPerSec: 3, SamplesPerSec=4\n", NOTHING}, /* the first one counts */
        {"CurrSamplesPerSec=x\n", NOTHING},
        {"SamplesPerSec=4, MaxMemAllocated=60.5GB\n",
         "nothing; SamplesPerSec=4; MaxMemAllocated (GB)=60.5"},
        {"SamplesPerSec=4, MaxMemAllocated=GB\n", "nothing; SamplesPerSec=4"},
        {"SamplesPerSec=x, MaxMemAllocated=60.5GB\n", NOTHING},
    };
    TOLD(rows);
}

static void events_of_perflog(void **state)
{
    (void)state;
    static const struct sample rows[] = {
        {"[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2, \"global_steps\": 7}, "
         "\"step\": 9}\n",
         "perflog 7=2"},
        {"[PerfLog] {\"event\": \"STEP_END\", \"step\": 9, \"value\": {\"loss\": 2}}\n",
         "perflog 9=2"},
        {"[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"global_steps\": 7, \"k\": }}\n",
         "perflog 7=-"},
        {"[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2}}\n", "nothing"},
        {"[PerfLog] {\"event\": \"STEP_END\", \"other\": {\"loss\": 2, \"global_steps\": 7}}\n",
         "nothing"},
        {"[PerfLog] {\"event\": \"FINISHED\", \"value\": {\"\": 1, \"a\": 2, \"\": 3}}\n",
         "nothing; =3; a=2"},
        {"[PerfLog] x}\n[PerfLog] {x\n", "nothing ! 2 [PerfLog] lines are not complete events and "
                                         "were skipped; this line is the first of them "
                                         "! none of the 2 lines matches a known log format"},
    };
    TOLD(rows);
}

/* Colours keep a line from being learnt, not from being read; the ninth prefix is one too many. */
static void what_stands_around_a_line(void **state)
{
    (void)state;
#define EVENT(step) \
    "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2, \"global_steps\": " step "}}"
    static const struct sample rows[] = {
        {"\x1b[31m" EVENT("1") "\x1b[0m\n\x1b[31m" EVENT("2") "\x1b[0m\n\x1b[31m" EVENT(
             "3") "\x1b[0m\n",
         "perflog 1=2 2=2 3=2"},
        {"1: 2: 3: 4: 5: 6: 7: 8: Step 1/1, Loss: 3\n", "deepspeed 1=3"},
        {"1: 2: 3: 4: 5: 6: 7: 8: 9: Step 1/1, Loss: 3\n", NOTHING},
        {"2023-05-01 12:00:00 | INFO     | __main__:<module>:12 - Step 1/1, Loss: 3\n",
         "deepspeed 1=3"},
        {"[1]<stderr>:Step 1/1, Loss: 3\n", "deepspeed 1=3"},
        {"INFORMATION Step 1/1, Loss: 3\n", NOTHING},
        {"INFO\n", NOTHING},
        {"\x1b", NOTHING},
        {"\x1bMStep 1/1, Loss: 3\n", "deepspeed 1=3"},
        {"Step 1/1, Loss: 3\x1b[31", "deepspeed 1=3"},
    };
    TOLD(rows);
}

#define COUNTED_AS \
    " no step number. fpreport numbers the reports in order of appearance, not by training steps."
#define COUNTED(n) " ! " n " reports give" COUNTED_AS
#define COUNTED_LATE(n)                                                                           \
    " ! 1 report gives no step number. fpreport numbers the reports in order of appearance; the " \
    "progress bar "                                                                               \
    "ends at " n "."
#define COUNTED_ONE " ! 1 report gives" COUNTED_AS

static void reports_of_hugging_face(void **state)
{
    (void)state;
    static const struct sample rows[] = {
        {"{'loss': }\n", NOTHING},
        {"{'loss': 1}\n", "huggingface 1=1" COUNTED_ONE},
        {"{'loss' 1}\n", NOTHING},
        {"{loss: 1}\n", NOTHING},
        {"{}\n", "nothing ! none of the 1 lines matches a known log format"},
        {"{'loss': 'a'}\n", NOTHING},
        {"{'loss': 1, 'note': 'x\n", NOTHING},
        {"5% of it | 3/9 [1s]\n", NOTHING},
        {"5%|##]\n", NOTHING},
        /* The bar behind a report is the next step's, where a script prints them so. */
        {"1%| | 5/15 [1s]{'loss': 3}\n1%| | 6/15 [1s]\n1%| | 10/15 [1s]{'loss': 2}\n"
         "1%| | 11/15 [1s]\n1%| | 15/15 [1s]{'loss': 1}\n",
         "huggingface 5=3 10=2 15=1"},
        {"1%| | 4/15 [1s]{'loss': 3}\n1%| | 5/15 [1s]\n1%| | 9/15 [1s]{'loss': 2}\n"
         "1%| | 10/15 [1s]\n1%| | 15/15 [1s]{'loss': 1}\n",
         "huggingface 5=3 10=2 15=1"},
        /* No bar is drawn again: the one in front of each report is of its step. */
        {"1%| | 5/52 [00:10<01:30, 2s/it]\n{'loss': 3, 'epoch': 0.1}\n",
         "huggingface 5=3 ! by its own count, the log ends at step 5 of 52: the log is truncated, "
         "or the run ended early"},
        {"1%| | 5/10 [00:10<00:10, 2s/it]{'loss': 3}\n1%| | 10/10 [00:20<00:00, 2s/it]{'loss': 2, "
         "'epoch': 1}\n",
         "huggingface 5=3 10=2"},
        /* Reports in a block behind the last bar, or bars that are drawn now and then. */
        {"1%| | 10/10 [00:20<00:00, 2s/it]{'loss': 3}\n", "huggingface 1=3" COUNTED_LATE("10")},
        {"1%| | 10/10 [00:20<00:00, 2s/it]{'loss': 3, 'epoch': 0.5}\n",
         "huggingface 1=3" COUNTED_LATE("10")},
        {"1%| | 500/520 [00:10<00:01, 50it/s]{'loss': 3}\n",
         "huggingface 1=3" COUNTED_LATE(
             "520") " ! by its own count, the log ends at step 500 of 520: "
                    "the log is truncated, or the run ended early"},
        /* Four ranks print a report, with the norm of its gradients and without. */
        {"{'loss': 3, 'grad_norm': 0.5}\n{'loss': 3, 'grad_norm': 0.5}\n"
         "{'loss': 2, 'grad_norm': 0.4}\n{'loss': 2, 'grad_norm': 0.4}\n",
         "huggingface 1=3 2=2" COUNTED("2")},
        {"{'loss': 3}\n{'loss': 3}\n{'loss': 3}\n{'loss': 3}\n{'loss': 2}\n{'loss': 2}\n",
         "huggingface 1=3 2=3 3=2" COUNTED("3")},
        {"{'loss': 3}\n{'loss': 3}\n{'loss': 2}\n", "huggingface 1=3 2=3 3=2" COUNTED("3")},
        {"{'loss': 0, 'grad_norm': 0}\n{'loss': 0, 'grad_norm': 0}\n",
         "huggingface 1=0 2=0" COUNTED("2")},
        /* A whole epoch, and no step. */
        {"{\"train_lr\": 1e-5, \"train_loss\": 0.8, \"epoch\": 0}\n{\"train_loss\": 0.7, "
         "\"epoch\": "
         "1}\n",
         "huggingface 0=0.8 1=0.7 ! 2 losses are those of epochs; the curve is over epochs, not "
         "over "
         "training steps"},
        {"5%| | x/9 [1s] {'loss': 1}\n", "huggingface 1=1" COUNTED_ONE},
        {"5%| | 3 of 9 [1s] {'loss': 1}\n", "huggingface 1=1" COUNTED_ONE},
        {"5%| | 3/x [1s] {'loss': 1}\n", "huggingface 1=1" COUNTED_ONE},
        {"5%| | 3/9 1s] {'loss': 1}\n", "huggingface 1=1" COUNTED_ONE},
        {"5%| | 3/9 [1s {'loss': 1}\n", "huggingface 1=1" COUNTED_ONE},
        /* A step is a number, whatever the bars say. */
        {"1%| | nan/9 [1s]\n{'loss': 1}\n1%| | nan/9 [1s]\n", "huggingface 1=1" COUNTED_ONE},
        {"1%| | 1/inf [1s]\n{'loss': 1}\n1%| | 1/inf [1s]\n", "huggingface 1=1" COUNTED_ONE},
        {"{'loss': 1, 'step': 1e308}\n{'train_runtime': 1}\n{'loss': 2, 'step': 1e308}\n"
         "{'train_runtime': 1}\n1%| | 1/1 [1s]\n{'loss': 3}\n1%| | 1/1 [1s]\n",
         "huggingface 1e+308=1; train_runtime=1" COUNTED_ONE},
        {"{'loss': 1, 'step': 1e308}\n{'train_runtime': 1}\n1%| | 1e308/1e308 [1s]\n{'loss': 2}\n"
         "1%| | 1e308/1e308 [1s]\n",
         "huggingface 1e+308=1 1e+308=2; train_runtime=1 ! 1 report gives no step number. "
         "fpreport numbers the reports in order of appearance; the progress bar ends at 1e+308."},
        /* A bar behind a report that goes back: the distance of reports stays what it was. */
        {"1%| | 10/99 [1s]\n{'loss': 1}\n1%| | 10/99 [1s]\n{'loss': 2}\n1%| | 7/99 [1s]\n"
         "{'loss': 3}\n",
         "huggingface 10=1 7=2 17=3 ! by its own count, the log ends at step 7 of 99: the log "
         "is truncated, or the run ended early"},
        {"{'loss': 1, 'epoch': 3}\n{'loss': 2, 'epoch': 2}\n{'loss': 3, 'epoch': 1}\n",
         "huggingface 1=1 2=2 3=3 ! the epoch number decreases, although no training ended before "
         "this line; fpreport continues to number the reports without a step" COUNTED("3")},
    };
    TOLD(rows);
}

static void lines_of_llama_recipes(void **state)
{
    (void)state;
    static const struct sample rows[] = {
        {"Training Epoch: x/1, step 0/1 completed (loss: 1)\n", NOTHING},
        {"Training Epoch: 1 of 1, step 0/1 completed (loss: 1)\n", NOTHING},
        {"Training Epoch: 1/x, step 0/1 completed (loss: 1)\n", NOTHING},
        {"Training Epoch: 1/1 completed (loss: 1)\n", NOTHING},
        {"Training Epoch: 1/1, step 0/1 completed\n", NOTHING},
        {"Training Epoch: 1/1, step 0/1 completed (loss: x)\n", NOTHING},
        {"Training Epoch: 1/1, step 0/1 completed (loss: 1)\n", "llama-recipes 1=1"},
        {"MMLU: what they achieve is unknown\n", NOTHING},
        {"Key: mean, 1\n", NOTHING},
        {"Key: , Value: 1\n", NOTHING},
        {"Key: mean, Value: x\n", NOTHING},
        {"Key: mean, Value: tensor(1.5, device='cuda:0')\n", "nothing; mean=1.5"},
    };
    TOLD(rows);
}

static void lines_of_other_formats(void **state)
{
    (void)state;
    static const struct sample rows[] = {
        {"# a note\nstep,loss\n# another\n1,2.5\n", "curve 1=2.5"},
        {"1,2.5\n2,2.25\n", "curve 1=2.5 2=2.25"},
        {"step,loss\n1,x\n2,x\n3,x\n4,x\n5,x\n6,x\n7,1\n",
         "curve 7=1"
         " ! the step or loss of this line is not a number; the line was skipped"
         " ! the step or loss of this line is not a number; the line was skipped"
         " ! the step or loss of this line is not a number; the line was skipped"
         " ! the step or loss of this line is not a number; the line was skipped"
         " ! the step or loss of this line is not a number; the line was skipped"
         " ! fpreport skipped 6 lines of the log for this reason"},
        {"tokens_pretrain is 727.5 tokens\n", NOTHING},
        {"tokens_pretrain is\n", NOTHING},
        {"tokens_pretrain is 727.5\n", "nothing; tokens_pretrain is=727.5"},
        {"[INFO] - loss: 1, loss: 2, global_step: 3, interval_steps_per_second: 0\n", "paddle 3=2"},
        {"[INFO] - loss: 1, global_step: 3, interval_steps_per_second: x\n", "paddle 3=1"},
        {"loss: x, global_step: 3\n", "paddle 3=-"},
        {"loss: 1, global_step: x\n", "nothing"},
        {"Epoch(train) [1][20/735]  xloss: 7  loss: 2.75\n", "patterns 20=2.75"},
        {"Epoch(train) [1][20/735]loss: 2.75\n", "patterns 20=2.75"},
        {"MFUs: 1\n", NOTHING},
        {"MFU: \n", NOTHING},
        {"avg_iter_time(s): 0.5\n", "nothing; avg_iter_time(s)=0.5"},
        {"System tokens per second: 8\n\navg_iter_time(s): 0.5\n",
         "nothing; System tokens per second=8; avg_iter_time(s)=0.5"},
        {"converged_success. accuracy: 1\n", "nothing; converged_success=1"},
        {"converged_success. eval_mAP: 0.5\n", "nothing; converged_success=1"},
        {"converged_success. eval_mAP: 0.5, target_mAP: x\n", "nothing; converged_success=1"},
        {"converged_success. eval_mAP: 0.5, target_mAP: 0.25\n",
         "nothing; converged_success=1; eval score=0.5; target score=0.25"},
        {"\"loss\" 2.5,\n", NOTHING},
    };
    TOLD(rows);
}

static void figures_of_operators(void **state)
{
    (void)state;
    static const struct sample rows[] = {
        {"[FlagPerf Result]Rank 0's computation-BF16=259.2TFLOPS\n",
         "nothing; Rank 0's computation-BF16 (TFLOPS)=259.2"},
        {"[FlagPerf Result]utilization: cputime=1.25%, kerneltime=3.5%\n",
         "nothing; utilization cputime (%)=1.25; utilization kerneltime (%)=3.5"},
        {"[FlagPerf Result]cputime=7 us, throughput=134.5 op/s, equals to 0.5 TFLOPS\n",
         "nothing; cputime (us)=7; cputime throughput (op/s)=134.5; cputime equals to "
         "(TFLOPS)=0.5"},
        {"[FlagPerf Result]aa: bb=1, aa=2\n", "nothing; aa bb=1; aa=2"},
        {"[FlagPerf Result]a=1, bb=2, a=3\n", "nothing; a=3; a bb=2"},
        {"[FlagPerf Result]a=1: b=2\n", "nothing; a (: b=2)=1"},
        {"[FlagPerf Result]\n", "nothing"},
        {"[FlagPerf Result]=1, a=, b=x, equals to x\n", "nothing"},
        {"[FlagPerf Result]a name that is of forty bytes, or longer, "
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=1, ok=2 a unit of 21 letters, fine=3\n",
         "nothing; fine=3"},
        {"[FlagPerf "
         "Result]aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
         "aaaaaa: b=1\n",
         "nothing"},
    };
    TOLD(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_deepspeed),        cmocka_unit_test(events_of_perflog),
        cmocka_unit_test(what_stands_around_a_line), cmocka_unit_test(reports_of_hugging_face),
        cmocka_unit_test(lines_of_llama_recipes),    cmocka_unit_test(lines_of_other_formats),
        cmocka_unit_test(figures_of_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
