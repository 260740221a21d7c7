/* log: every format's own lines, and lines that only look like them. */
#include "base/files/file.h"
#include "tests/unit/log_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void perflog_gives_steps_and_final_values(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f,
         "noise\n"
         "[PerfLog] {\"event\": \"EPOCH_BEGIN\", \"metadata\": {\"rank\": 0}}\n"
         "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"end_training\": true, "
         "\"global_steps\": 21, \"tokens/s\": 512.5, \"step_time_s\": 0.25}, \"metadata\": "
         "{\"file\": \"a{b}.py\", \"lineno\": 1, \"time_ms\": 5, \"rank\": 0}}\r\n"
         "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": NaN, \"global_steps\": 22}, "
         "\"metadata\": {\"rank\": 0}}\n"
         "[PerfLog] {\"event\": \"FINISHED\", \"value\": {\"e2e_time\": 12.5, "
         "\"throuhgput(ips)_raw\": 3.5, \"final_loss\": -Infinity, \"converged\": true}, "
         "\"metadata\": {\"rank\": 0}}\n");
    assert_string_equal(f.log.format, "perflog");
    assert_int_equal(f.log.n_points, 2);
    assert_true(f.log.points[0].step == 21 && f.log.points[0].loss == 2.5);
    assert_true(f.log.points[0].seconds == 0.25 && f.log.points[0].tokens_per_s == 512.5);
    assert_int_equal(f.log.points[0].line, 3);
    assert_true(isnan(f.log.points[1].loss) && f.log.points[1].has_loss);
    assert_true(f.log.finished && f.log.finished_line == 5);
    assert_true(log_get(&f.log, "throuhgput(ips)_raw")->value == 3.5);
    assert_true(isinf(log_get(&f.log, "final_loss")->value));
    assert_true(log_get(&f.log, "converged")->value == 1);
    assert_string_equal(f.log.script, "a{b}.py");
    assert_int_equal(f.log.points[0].rank, 0);
    assert_true(f.log.points[0].clock_ms == 5);
    assert_int_equal(f.diags.n, 0);
    arena_release(&f.arena);
}

static void a_cut_event_is_no_event_but_a_finding(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"global_steps\": 1}, "
             "\"metadata\": {\"rank\": 0}}\n"
             "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"global_st");
    assert_int_equal(f.log.n_points, 1);
    assert_int_equal(f.diags.n, 1);
    assert_int_equal(f.diags.items[0].line, 2);
    assert_non_null(strstr(f.diags.items[0].message, "truncated"));
    arena_release(&f.arena);
}

static void megatron_is_read_by_key_in_both_generations(void **state)
{
    (void)state;
    struct fixture f;
    READ(
        &f,
        "[default15]: [2024-05-06 10:11:12] iteration       21/     300 | consumed samples:  10752 "
        "| consumed tokens: 44040192 | elapsed time per iteration (ms): 2000.0 | throughput per "
        "GPU (TFLOP/s/GPU): 412.3 | learning rate: 1.000000E-04 | global batch size:   512 | lm "
        "loss: 8.531234E+00 | loss scale: 1.0 | grad norm: 1.234 |\n"
        " iteration      22/  300 | consumed samples:  11264 | elapsed time per iteration (ms): "
        "1000.5 | learning rate: 1.507E-05 | global batch size:  1024 | lm loss: 2.373574E+00 |\n"
        " iteration wise | nothing | here\n validation loss at iteration 20 | lm loss: 1.0\n");
    assert_string_equal(f.log.format, "megatron");
    assert_int_equal(f.log.n_points, 2);
    assert_true(f.log.points[0].step == 21 && f.log.points[0].loss == 8.531234);
    assert_true(f.log.points[0].seconds == 2 && f.log.points[0].samples_per_s == 256);
    assert_true(f.log.points[1].step == 22 && f.log.points[1].samples == 11264);
    arena_release(&f.arena);
}

static void deepspeed_and_summary_lines(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "Step 10/3050, Loss: 5.140625\nStep 20/3050, Loss: 4.5\n"
             "Train Step 0/1252, Loss : 6.98\nStep by step\nStep 3, Loss: 1\n"
             "[2024-07-17 19:53:24,981] [INFO] [timer.py:258:stop] epoch=0/micro_step=4500/"
             "global_step=4500, RunningAvgSamplesPerSec=16.125, CurrSamplesPerSec=16.5, "
             "MemAllocated=0.02GB\n"
             "0/40, SamplesPerSec=7.5\n"
             "System tokens per second:  29589.6\nTokens/p/s:  3698.7\nMFU:  0.5690307692307693\n"
             "MMMU : 0.359\nMFU: about half\nthe MFU: 0.3\n");
    assert_string_equal(f.log.format, "deepspeed");
    assert_int_equal(f.log.n_points, 3);
    assert_true(f.log.points[1].step == 20 && f.log.points[1].loss == 4.5);
    assert_true(log_get(&f.log, "RunningAvgSamplesPerSec")->value == 16.125);
    assert_true(log_get(&f.log, "CurrSamplesPerSec")->value == 16.5);
    assert_true(log_get(&f.log, "SamplesPerSec")->value == 7.5);
    assert_true(log_get(&f.log, "Tokens/p/s")->value == 3698.7);
    assert_true(log_get(&f.log, "MFU")->value == 0.5690307692307693);
    assert_true(log_get(&f.log, "MMMU")->value == 0.359);
    assert_int_equal(log_get(&f.log, "MFU")->line, 10);
    arena_release(&f.arena);
}

static void hugging_face_reports_are_counted(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "  3%|x| 1/9\r{'loss': 2.1, 'learning_rate': 0.001, 'epoch': 0.01}\r 4%\n"
             "{'loss': 1.9, 'learning_rate': 0.001, 'epoch': 0.02}\n"
             "{'train_runtime': 12.5, 'train_loss': 2.0, 'epoch': 1.0}\n{'not': 'numbers'}\n");
    assert_int_equal(f.log.n_points, 2);
    assert_true(f.log.points[1].step == 2 && f.log.points[1].loss == 1.9);
    assert_int_equal(f.log.points[1].line, 2);
    assert_true(log_get(&f.log, "train_loss")->value == 2);
    arena_release(&f.arena);
}

static double value_of(const struct fixture *f, const char *key)
{
    const struct log_value *v = log_get(&f->log, key);
    return v ? v->value : NAN;
}

static void classic_keys_keep_their_names(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double value;
    } keys[] = {
        {"e2e_time", 1661.6114165782928},
        {"training_sequences_per_second", 579.0933420700227},
        {"effective_tokens_per_second", 35280.5},
        {"converged", 0},
        {"final_mlm_accuracy", 0.920166015625},
        {"throughput(ips)_raw", 100.25},
        {"throughput(sps)_no_eval", 1e3},
        {"throuhgput(ips)_pure_compute", 5e-1},
        {"final_mAP", 0.376},
        {"pure_training_computing_time", 12},
    };
    char text[2000] =
        "Final pre-training config: x\n[PerfLog] {\"event\": \"FINISHED\", \"value\": {";
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        sprintf(text + strlen(text), keys[i].value != 0 ? "%s\"%s\": %.17g" : "%s\"%s\": false",
                i ? ", " : "", keys[i].key, keys[i].value);
    strcat(text, ", \"note\": \"a \\\"}, {b\"}, \"metadata\": {\"file\": "
                 "\"/x/training/benchmarks/cpm/pytorch/run_pretraining.py\", \"rank\": 0}}\n");
    struct fixture f;
    READ(&f, text);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_true(value_of(&f, keys[i].key) == keys[i].value);
    assert_int_equal(f.log.n_values, sizeof keys / sizeof keys[0]);
    assert_int_equal(f.diags.n, 0);
    arena_release(&f.arena);
}

/* tests/golden/logs: one file of each format, as its scripts print it. */
static void read_golden(struct fixture *f, const char *name)
{
    struct arena arena = ARENA_INIT;
    struct bytes in;
    struct err err = ERR_INIT;
    char path[200];
    snprintf(path, sizeof path, "tests/golden/logs/%s", name);
    assert_int_equal(file_read(path, 1 << 20, &arena, &in, &err), 0);
    read_text(f, in.data, in.len);
    arena_release(&arena);
}

static void lora_bars_are_steps_through_all_epochs(void **state)
{
    (void)state;
    struct fixture f;
    read_golden(&f, "llama_recipes.log");
    assert_string_equal(f.log.format, "llama-recipes");
    assert_int_equal(f.log.n_points, 4); /* two of them drawn twice */
    static const double steps[] = {1, 2, 3, 4}, losses[] = {1.75, 1.6437, 1.5, 1.25};
    for (int i = 0; i < 4; i++)
        assert_true(f.log.points[i].step == steps[i] && f.log.points[i].loss == losses[i]);
    assert_true(value_of(&f, "Max CUDA memory allocated (GB)") == 21);
    assert_true(value_of(&f, "train_epoch_loss") == 1.375);
    assert_true(value_of(&f, "epoch time (s)") == 120.25);
    assert_true(value_of(&f, "MMLU") == 0.43 && value_of(&f, "MMLU target") == 0.4);
    assert_true(value_of(&f, "MMLU achieved") == 1);
    assert_true(value_of(&f, "avg_train_loss") == 1.5);
    assert_true(value_of(&f, "tokens per step") == 1024);
    assert_true(value_of(&f, "avg_iter_time(s)") == 0.25);
    assert_true(value_of(&f, "Tokens/p/s") == 4096);
    arena_release(&f.arena);
    READ(&f, "2024-01-01 00:00:00.000 | WARNING  | __main__:train:153 - MMLU target is not "
             "achieved\n");
    assert_true(value_of(&f, "MMLU achieved") == 0);
    assert_true(isnan(value_of(&f, "MMLU")));
    arena_release(&f.arena);
}

static void llava_keeps_the_figures_of_both_stages(void **state)
{
    (void)state;
    struct fixture f;
    read_golden(&f, "llava.log");
    assert_string_equal(f.log.format, "huggingface");
    assert_true(value_of(&f, "tokens_pretrain is") == 727.125);
    assert_true(value_of(&f, "finetune time is") == 9876.5);
    assert_true(value_of(&f, "MMMU") == 0.359);
    assert_true(value_of(&f, "Pretrain stage: MFU") == 0.25);
    assert_true(value_of(&f, "Finetune stage: MFU") == 0.5);
    assert_true(value_of(&f, "Finetune stage: Tokens/p/s") == 3698.5);
    assert_true(value_of(&f, "two-stage average: MFU") == 0.4375 && value_of(&f, "MFU") == 0.4375);
    assert_true(value_of(&f, "Actual computing power") == 136.5);
    arena_release(&f.arena);
}

static void paddle_reports(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "[2023-06-14 12:05:23,170] [    INFO] - loss: 10.598, learning_rate: 3e-05, "
             "global_step: 10, interval_runtime: 15.2, interval_samples_per_second: 5.25, "
             "interval_steps_per_second: 0.5, epoch: 0.0121\n"
             "[2023-06-14 12:05:24,170] [    INFO] - the loss: 3 is no report\n");
    assert_string_equal(f.log.format, "paddle");
    assert_int_equal(f.log.n_points, 1);
    assert_true(f.log.points[0].step == 10 && f.log.points[0].loss == 10.598);
    assert_true(f.log.points[0].seconds == 2 && f.log.points[0].samples_per_s == 5.25);
    arena_release(&f.arena);
}

static void ranks_in_one_file_are_told_apart(void **state)
{
    (void)state;
    struct fixture f;
    struct curve curve;
    READ(&f,
         "[default1]:[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 3}, \"step\": 1, "
         "\"metadata\": {\"rank\": 1}}\n"
         "tqdm 5%[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2}, \"step\": 1, "
         "\"metadata\": {\"rank\": 0}}\n"
         "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 4}, \"step\": 1, "
         "\"metadata\": {\"rank\": 2}}\n"
         "[default3]: iteration 1/ 1 | lm loss: 7 |\n"
         "[PerfLog] {\"event\": \"STEP_E[PerfLog] {\"event\": \"STEP_BEGIN\"}\n"
         "[PerfLog] no\n[PerfLog] {}\n[PerfLog] {\"event\"}\n[PerfLog] {\"a\": 1}\n"
         "[rank5]: [2024-05-06 10:11:12] iteration 1/ 1 | lm loss: 8 |\n");
    assert_int_equal(f.log.n_points, 5);
    assert_int_equal(f.log.points[0].rank, 1);
    assert_int_equal(f.log.points[3].rank, 3);
    assert_int_equal(f.log.points[4].rank, 5);
    log_curve(&f.log, &f.arena, &curve);
    assert_true(curve.n == 1 && curve.loss[0] == 2);
    assert_int_equal(f.diags.n, 1);
    assert_int_equal(f.diags.items[0].line, 6);
    arena_release(&f.arena);
}

static void a_step_without_a_loss_is_no_point_of_the_curve(void **state)
{
    (void)state;
    struct fixture f;
    struct curve curve;
    READ(&f, "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"step\": 1}}\n"
             "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"step\": 2, \"loss\": NaN}}\n");
    log_curve(&f.log, &f.arena, &curve);
    assert_int_equal(f.log.n_points, 2);
    assert_true(curve.n == 1 && curve.step[0] == 2 && isnan(curve.loss[0]));
    arena_release(&f.arena);
}

static void curves_in_csv(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f,
         "step,loss,iteration_time_s\n1,10.5,\n3,9.5,0.25\n2,10,0.5\n3,9.25,0.125\n4,,0.5\nx,y\n");
    struct curve curve;
    log_curve(&f.log, &f.arena, &curve);
    assert_int_equal(curve.n, 3);
    assert_true(curve.step[1] == 2 && curve.loss[2] == 9.25 && curve.seconds[2] == 0.125);
    assert_true(isnan(curve.seconds[0]));
    assert_int_equal(f.diags.n, 1);
    assert_int_equal(f.diags.items[0].line, 7);
    arena_release(&f.arena);
}

static void whole_numbers_as_numpy_prints_them(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "step,loss\n1.,5.\n2,-.5\n3,1e1\n4,5..\n5,.\n");
    struct curve curve;
    log_curve(&f.log, &f.arena, &curve);
    assert_int_equal(curve.n, 3);
    assert_true(curve.step[0] == 1 && curve.loss[0] == 5 && curve.loss[1] == -0.5 &&
                curve.loss[2] == 10);
    arena_release(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perflog_gives_steps_and_final_values),
        cmocka_unit_test(a_cut_event_is_no_event_but_a_finding),
        cmocka_unit_test(megatron_is_read_by_key_in_both_generations),
        cmocka_unit_test(deepspeed_and_summary_lines),
        cmocka_unit_test(hugging_face_reports_are_counted),
        cmocka_unit_test(classic_keys_keep_their_names),
        cmocka_unit_test(lora_bars_are_steps_through_all_epochs),
        cmocka_unit_test(llava_keeps_the_figures_of_both_stages),
        cmocka_unit_test(paddle_reports),
        cmocka_unit_test(ranks_in_one_file_are_told_apart),
        cmocka_unit_test(a_step_without_a_loss_is_no_point_of_the_curve),
        cmocka_unit_test(curves_in_csv),
        cmocka_unit_test(whole_numbers_as_numpy_prints_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
