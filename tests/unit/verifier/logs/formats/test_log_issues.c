/* Lines of logs that people pasted into public issues, each with its source. */
#include "tests/unit/log_text.h"

#include <string.h>

/* A text, the points that it gives, and the last of them. */
static const struct sample {
    const char *format, *text;
    size_t points;
    double step, loss;
} samples[] = {
    /* huggingface/nanotron issue 390 */
    {"patterns",
     "10/17/2025 16:31:56 [INFO|DP=0|PP=0|TP=0]: iteration: 327281 / 378950 | consumed_tokens: "
     "85.8G | elapsed_time_per_iteration_ms: 11.5K | tokens_per_sec: 22.8K | "
     "tokens_per_sec_per_gpu: 11.4K | global_batch_size: 64 | lm_loss: 2.38 | lr: 1e-05 | "
     "model_tflops_per_gpu: 38.3\n",
     1, 327281, 2.38},
    /* InternLM/InternLM issue 22 */
    {"patterns",
     "2023-07-10 14:26:28,977\tINFO train.py:317 in record_current_batch_training_metrics -- "
     "tflops=188.0,step=36,loss=5.459,tgs (tokens/gpu/second)=4233.73,lr=7.6e-06\n",
     1, 36, 5.459},
    /* karpathy/llm.c issue 156 */
    {"patterns", "val loss 6.971008\nstep 1: train loss 4.769723 (took 2453 ms)\n", 1, 1, 4.769723},
    /* PrimeIntellect-ai/prime-rl issue 20 */
    {"patterns",
     "03:22:14 [INFO] [TRAIN] [Rank 0] step: 289, loss: 0.4310, tokens_per_second: 76477.73, "
     "mfu: 337.59\n",
     1, 289, 0.4310},
    /* Kai-46/minFM issue 4 */
    {"patterns",
     "2025-08-23 06:20:07,600 - trainers.dit_trainer - INFO - Step   1560 | Loss: 0.5275 | LR: "
     "3.00e-04 | GradNorm: 2.29 | TPS: 16.88K\n",
     1, 1560, 0.5275},
    /* liucongg/ChatGLM-Finetuning issue 12 */
    {"patterns", "loss:0.92626953125, global_step:160\n", 1, 160, 0.92626953125},
    /* ml-explore/mlx-lm issue 326 */
    {"patterns",
     "Iter 1: Val loss 2.845, Val took 3.201s\nIter 60: Train loss 2.786, Learning Rate "
     "1.000e-05, It/sec 17.598, Tokens/sec 1728.137, Trained Tokens 5571\n",
     1, 60, 2.786},
    /* intel/ipex-llm issue 1486 */
    {"patterns",
     "2017-08-20 16:11:38 INFO  DistriOptimizer$:295 - [Epoch 64 736512/1281167][Iteration "
     "45457][Wall Clock 197331.83477254s] Train 1792 in 4.387814632seconds. Throughput is "
     "408.40378 records/second. Loss is 1.2645824. Current learning rate is 0.046\n",
     1, 45457, 1.2645824},
    /* mlcommons/hpc_results_v1.0, CSCS deepcam: losses where there is no evaluation */
    {"mllog",
     ":::MLLOG {\"time_ms\": 1634114598660, \"key\": \"train_loss\", \"value\": "
     "0.4417901039123535, "
     "\"metadata\": {\"file\": \"trainer.py\", \"lineno\": 103, \"epoch_num\": 1, \"step_num\": "
     "10}}\n"
     ":::MLLOG {\"time_ms\": 1634114606830, \"key\": \"train_loss\", \"value\": "
     "0.1427353322505951, "
     "\"metadata\": {\"file\": \"trainer.py\", \"lineno\": 103, \"epoch_num\": 1, \"step_num\": "
     "20}}\n",
     2, 20, 0.1427353322505951},
    /* the same format, with an evaluation: that alone counts */
    {"mllog",
     "0: :::MLLOG {\"time_ms\": 1, \"key\": \"train_loss\", \"value\": 9, \"metadata\": "
     "{\"step_num\": 1}}\n"
     "0: :::MLLOG {\"time_ms\": 2, \"key\": \"eval_accuracy\", \"value\": 0.93, \"metadata\": "
     "{\"samples_count\": 1536}}\n",
     1, 1536, 0.93},
    /* allenai/OLMo issue 692 */
    {"blocks",
     "2024-08-06 09:59:26.181 intern-studio-160750:0  olmo.train:908  INFO    "
     "[step=1/739328,epoch=0]\n    optim/total_grad_norm=231.7\n    "
     "train/CrossEntropyLoss=12.18\n"
     "2024-08-06 10:00:05.520 intern-studio-160750:0  olmo.train:908  INFO    "
     "[step=2/739328,epoch=0]\n    train/CrossEntropyLoss=1.7872662283480167e-06\n",
     2, 2, 1.7872662283480167e-06},
    /* ml-explore/mlx-examples issue 210 */
    {"patterns",
     "Iter 1: Val loss 2.612, Val took 1822.826s\nIter 10: Train loss 3.608, It/sec 0.015, "
     "Tokens/sec 1.425\n",
     1, 10, 3.608},
    /* Lightning-AI/pytorch-lightning issue 3866: a bar without a bar, whose `loss` is smoothed */
    {"patterns",
     "Epoch 0:  93% 1586/1702 [12:50<00:56,  2.06it/s, loss=0.158, v_num=0, train_loss=0.149]\n", 1,
     1586, 0.149},
    /* AI-Hypercomputer/maxtext issue 8 */
    {"patterns", "completed step: 15107, seconds: 2.167, TFLOP/s: 36.722, loss: 2.191\n", 1, 15107,
     2.191},
    /* axolotl-ai-cloud/axolotl issue 592: the bar was not drawn again behind the report; epoch 0.97
     * of 3 is step 283 of 873, and 284 would be 0.98 */
    {"huggingface",
     " 32%|###       | 283/873 [25:44<47:06,  4.79s/it]\n"
     "{'loss': 0.8635, 'learning_rate': 0.0001369640787949015, 'epoch': 0.97}\n\n"
     " 33%|###       | 284/873 [25:49<45:20,  4.62s/it]\n",
     1, 283, 0.8635},
    /* modelscope/ms-swift issue 8173: GRPO by Megatron */
    {"megatron",
     " [2026-03-03 16:38:36] iteration        2/     624 | consumed samples:          256 | "
     "elapsed "
     "time per iteration (ms): 3988.6 | memory(GiB): 83.46 | loss: -2.529132E-02 | kl: "
     "1.107648E-02 | loss scale: 1.0 | grad norm: 75.173 | number of skipped iterations:   0 |\n",
     1, 2, -2.529132e-02},
    /* PaddlePaddle/PaddleSpeech issue 675 */
    {"patterns",
     "[INFO 2021/06/19 16:01:34 model.py:61] Train: Rank: 0, epoch: 1, step: 5310, batch : "
     "1559/1876, lr: 0.00000000, data time: 0.000s, train time: 3.019s, batch size: 64, "
     "train_loss: "
     "16.030918\n",
     1, 5310, 16.030918},
    /* meta-pytorch/torchtune pull request 2620 */
    {"patterns",
     "[trainer0|0]:1|1|Loss: 2.7997918128967285:   1%|          | 1/101 [00:20<34:51, 20.91s/it]\n"
     "[trainer0|0]:1|2|Loss: 2.764298677444458:   2%|#         | 2/101 [00:38<31:17, 18.96s/it]\n",
     2, 2, 2.764298677444458},
    /* OLMo, a console log of a public repository */
    {"blocks",
     "[2024-04-17 09:42:26] INFO     [olmo.train:816, rank=0] [step=1/3]\n"
     "    train/CrossEntropyLoss=11.25\n    train/Perplexity=76,631\n"
     "[2024-04-17 09:42:38] INFO     [olmo.train:816, rank=0] [step=3/3]\n"
     "    train/CrossEntropyLoss=10.73\n    throughput/device/tokens_per_second=45,538\n",
     2, 3, 10.73},
    /* karpathy/nanoGPT pull request 705 */
    {"patterns",
     "step 25: train loss 2.6439, val loss 2.6545, train ppl 14.0686, val ppl 14.2175\n"
     "iter 30: loss 2.6216, ppl 13.7584, time 453.91ms, mfu 0.42%\n",
     1, 30, 2.6216},
    /* openai/parameter-golf issue 839 */
    {"modded-nanogpt",
     "step:8400/20000 train_loss:2.1494 train_time:365552ms step_avg:43.52ms\n"
     "step:8400/20000 val_loss:2.1201 val_bpb:1.2524 train_time:365577ms step_avg:43.52ms\n"
     "step:8450/20000 train_loss:2.1278 train_time:367698ms step_avg:43.51ms\n",
     2, 8450, 2.1278},
    /* KellerJordan/modded-nanogpt, a log of its repository, with a made-up loss of a step */
    {"modded-nanogpt",
     "step:124/1480 train_time:29117ms step_avg:255.41ms\n"
     "step:125/1480 train_loss:4.5 train_time:29372ms step_avg:255.41ms\n"
     "step:125/1480 val_loss:4.4388 train_time:29503ms step_avg:256.55ms\n",
     2, 125, 4.5},
    /* kimiyoung/transformer-xl issue 69 */
    {"patterns",
     "| Eval  12 at step    48000 | time: 5132.39s | valid loss  4.16 | valid ppl    64.240\n"
     "| epoch   1 step    48200 |  48200 batches | lr 0.000244 | ms/batch 1410.03 | loss  4.13 | "
     "ppl    61.889\n",
     1, 48200, 4.13},
    /* facebookresearch/fairseq issue 301 */
    {"patterns",
     "| epoch 010  8000 / 8223 loss=1.33 (1.45), wps=961, wpb=905, bsz=32, lr=0.001, clip=100%, "
     "gnorm=2.1133\n"
     "| epoch 010 | train loss 1.44 | train ppl 2.72 | s/checkpoint    7747 | words/s    961 | "
     "words/batch    906 | bsz    32 | lr 0.001000 | clip 100% | gnorm 2.1113\n"
     "| epoch 010 | valid on 'valid' subset  1000 / 1311 loss=1.60\n"
     "| epoch 010 | valid on 'valid' subset | valid loss 1.94 | valid ppl 3.83\n"
     "| epoch 011  1000 / 8223 loss=1.89 (1.38), wps=963, wpb=918, bsz=32, lr=0.001, clip=100%, "
     "gnorm=2.0860\n",
     2, 83230, 1.89},
    /* dmlc/gluon-nlp pull request 1261 */
    {"patterns",
     "2020-07-11 00:37:18,464 - root - INFO - Epoch: 1, Batch: 3900/8164, Loss "
     "span/answer/total=0.7729/0.1773/0.9502, LR=0.00001868, grad_norm=21.5925. Time cost=90.67, "
     "Throughput=52.94 samples/s ETA=1.70h\n",
     1, 3900, 0.9502},
    /* k2-fsa/icefall issue 320 */
    {"patterns",
     "2022-04-21 06:21:16,518 INFO [train.py:518] Epoch 0, batch 500, loss[ctc_loss=0.7647, "
     "att_loss=0.7367, loss=0.7423, over 2223 frames.], tot_loss[ctc_loss=1.098, att_loss=1.086, "
     "loss=1.088, over 438207.72270125535 frames.], batch size: 8\n",
     1, 501, 0.7423},
    /* Lightning-AI/litgpt issue 1042, pull request 1055 */
    {"patterns",
     "iter 4800: val loss 1.7258, val time: 3778.02 ms\n"
     "iter 4810 | step 601: loss train 0.274, val 1.725 | iter time: 131.68 ms\n",
     1, 601, 0.274},
    {"patterns",
     "Ep 1 | iter 119 | step 29: loss train (curr): 1.199, val (prev val iter): None | iter time: "
     "166.23 ms\n",
     1, 29, 1.199},
    /* facebookresearch/fairseq-lua issue 26 */
    {"patterns",
     "| epoch 019 | 0161656 updates | words/s   14482| trainloss     1.94 | train ppl     3.84\n",
     1, 161656, 1.94},
    /* marian-nmt/marian issues 376 and 231 */
    {"patterns",
     "[2021-07-17 13:13:46] Ep. 1 : Up. 16000 : Sen. 1,052,108 : Cost 6.59608603 : Time 1153.11s : "
     "1942.28 words/s\n[2021-07-17 13:50:36] [valid] Ep. 1 : Up. 20000 : cross-entropy : 130.97 : "
     "new best\n",
     1, 16000, 6.59608603},
    {"patterns",
     "[2018-12-04 21:47:47] Ep. 2 : Up. 45500 : Sen. 3225664 : Cost 4.50 : Time 699.73s : 3739.52 "
     "words/s : L.r. 8.3863e-05\n",
     1, 45500, 4.5},
    /* BVLC/caffe issue 4371, libornovax/master_thesis_code issue 50 */
    {"patterns",
     "I0627 17:29:44.020539 13757 solver.cpp:228] Iteration 240, loss = 51.5251\n"
     "I0627 17:29:44.020617 13757 solver.cpp:244]     Train net output #0: loss = 51.5251 (* 1 = "
     "51.5251 loss)\n",
     1, 240, 51.5251},
    {"patterns",
     "I1109 10:34:34.280992  9709 solver.cpp:219] Iteration 360 (0.170469 iter/s, 58.6617s/10 "
     "iters), loss = 0.0140731\n",
     1, 360, 0.0140731},
    /* pytorch/xla pull request 4324 */
    {"patterns",
     "| Training Device=xla:0/7 Epoch=1 Step=360 Loss=0.00344 Rate=551.83 GlobalRate=308.74 "
     "Time=01:52:46\n",
     1, 360, 0.00344},
    /* ggml-org/llama.cpp issue 7611 */
    {"patterns",
     "train_opt_callback: iter=    70 sample=72/5608 sched=0.700000 loss=4.948237 dt=00:04:59 "
     "eta=03:29:33 |----------------->\n",
     1, 70, 4.948237},
    /* espnet/espnet issue 2674 */
    {"patterns",
     "[PC] 2020-11-11 16:36:33,446 (trainer:486) INFO: 5epoch:train:3376-3750batch: "
     "iter_time=0.001, forward_time=0.005, loss=1.733, backward_time=0.005, "
     "optim_step_time=2.005e-04, lr_0=0.100, train_time=0.014\n",
     1, 3750, 1.733},
};

static void lines_of_issues_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct fixture f;
        READ(&f, samples[i].text);
        assert_string_equal(f.log.format, samples[i].format);
        assert_int_equal(f.log.n_points, samples[i].points);
        assert_true(f.log.points[f.log.n_points - 1].step == samples[i].step);
        assert_true(f.log.points[f.log.n_points - 1].loss == samples[i].loss);
        arena_release(&f.arena);
    }
}

/* What stands beside step and loss: nanotron's thousands, BigDL's seconds, OLMo's commas. */
static void figures_beside_the_loss_are_read(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, samples[0].text);
    assert_true(f.log.points[0].seconds == 11.5 && f.log.points[0].tokens_per_s == 22800);
    arena_release(&f.arena);
    READ(&f, samples[7].text);
    assert_true(f.log.points[0].seconds == 4.387814632);
    assert_true(f.log.points[0].samples_per_s == 408.40378);
    arena_release(&f.arena);
    READ(&f, samples[18].text);
    assert_true(log_get(&f.log, "tokens/s of a card")->value == 45538);
    arena_release(&f.arena);
}

/* Programs that print a loss of each epoch: an evaluation behind Keras's epoch is none of its own,
 * and of ultralytics' columns the sum is trained. */
static const struct epochs {
    const char *text;
    size_t n;
    double epoch, loss;
} epochs[] = {
    {"Epoch 1/2\n  1/100 [>...] - ETA: 3s - loss: 0.9\b\b\b\b\b 50/100 [==>.] - ETA: 1s - loss: "
     "0.7\b\b\b100/100 [=====] - 3s 30ms/step - loss: 0.5\nEpoch 2/2\n100/100 - 3s - loss: 0.25 - "
     "accuracy: 0.81 - val_loss: 3 - 30ms/step\n313/313 [===] - 1s 2ms/step - loss: 7\n",
     2, 2, 0.25},
    {"Epoch 1/2\n\r\x1b[1m  1/1875\x1b[0m \x1b[37m----\x1b[0m 431ms/step - loss: 0.9\r\x1b[1m1875/"
     "1875\x1b[0m ---- 7s 4ms/step - accuracy: 0.8 - loss: 0.5\n",
     1, 1, 0.5},
    {"      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size\n"
     "        1/3      2.83G        1.5        1.25       0.5         42        640:  50%|##  | "
     "4/8 "
     "[00:03<00:00]\r        1/3      2.83G        1.25       1.25       0.5         42        "
     "640: "
     "100%|####| 8/8 [00:03<00:00]\n"
     "                   all        128        929      0.667      0.532      0.611      0.449\n",
     1, 1, 3},
    {"     Epoch   gpu_mem       box       obj       cls     total    labels  img_size\n"
     "     0/299     10.4G    0.0625      0.25      0.25       0.5       200       640: 100%|##| "
     "8/8 "
     "[00:03<00:00]\n",
     1, 0, 0.5},
    /* the heads alone, and a line of another kind below them */
    {"Epoch 1/2\n100/100 files read - loss of connection: 3\n", 0, 0, 0},
    {"Epoch GPU_mem box_loss Instances Size\n1/3 2G none 42 640: 100%\n", 0, 0, 0},
};

static void losses_of_epochs_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof epochs / sizeof epochs[0]; i++) {
        struct fixture f;
        READ(&f, epochs[i].text);
        size_t n = f.log.n_points;
        if (n != epochs[i].n || (n && (!f.log.by_epoch || strcmp(f.log.format, "epochs") != 0 ||
                                       f.log.points[n - 1].step != epochs[i].epoch ||
                                       f.log.points[n - 1].loss != epochs[i].loss)))
            fail_msg("%zu epochs of %s", n, epochs[i].text);
        arena_release(&f.arena);
    }
}

/* Losses of epochs beside steps are no curve. */
static void steps_say_more_than_epochs(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "Epoch 1/2\n100/100 - 3s - loss: 0.25\niter 30: loss 2.5, time 10ms\n");
    assert_int_equal(f.log.n_points, 1);
    assert_true(!f.log.by_epoch && f.log.points[0].step == 30);
    arena_release(&f.arena);
}

/* A metric of OLMo's name counts only below a step of OLMo. */
static void a_metric_without_its_step_is_nothing(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "    train/CrossEntropyLoss=11.25\n    throughput/device/TPS=7,421\n");
    assert_int_equal(f.log.n_points, 0);
    assert_non_null(strstr(f.diags.items[0].message, "without a line above them"));
    arena_release(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_issues_are_read),
        cmocka_unit_test(figures_beside_the_loss_are_read),
        cmocka_unit_test(losses_of_epochs_are_read),
        cmocka_unit_test(steps_say_more_than_epochs),
        cmocka_unit_test(a_metric_without_its_step_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
