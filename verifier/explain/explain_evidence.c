/* explain_evidence: the explanations of FP4xxx. Evidence. */
#include "verifier/explain/explain_rules.h"

/* The words of verifier/checks/evidence/signature.c and base/signing/signers_match.c; those that
 * quote what others wrote come first. */
static const struct explain_case signature_cases[] = {
    {"the signature is one for '",
     "The key signed for another purpose: have the vendor sign with fpreport collect --sign, which "
     "takes the right namespace."},
    {"this run came to the archive as that of",
     "Ask both vendors whose run it is: whoever has it from another has to give a run of its own, "
     "or withdraw the result."},
    {"as its evidence",
     "Ask both vendors whose run it is: whoever has it from another has to give a run of its own, "
     "or withdraw the result."},
    {"has the same log of losses",
     "Ask both vendors whose run it is: whoever has it from another has to give a run of its own, "
     "or withdraw the result."},
    {"is not signed",
     "Have the vendor seal and sign the run: fpreport collect RUN --sign KEY. What is sealed "
     "already is sealed anew from its run folder."},
    {"is not one of this statement", "It was altered behind the signature: ask the vendor for the "
                                     "file that was signed, and compare "
                                     "its SHA-256; whoever sent this one may have altered it."},
    {"is not among the keys of",
     "Compare the key's fingerprint with the one that the vendor names in another way than by this "
     "file (ssh-keygen -lf KEY.pub). Is it the vendor's, then its line belongs into the signers; "
     "else refuse the submission."},
    {"is revoked",
     "The vendor, or whoever keeps the signers, took this key back: have the run signed with "
     "another one; do not take it out of the revoked keys."},
    {"is that of nobody", "The line of the key in the signers names only whose it is not: have "
                          "whoever keeps the signers "
                          "put the vendor's id there."},
    {"is that of ", "The key is another vendor's: ask for a submission that this vendor signed, or "
                    "name the vendor "
                    "whose key it is (--vendor)."},
    {"may sign for",
     "The line of the key in the signers does not have the namespace fpreport-submission-v1: have "
     "whoever keeps the signers add it, if the vendor meant the key for submissions."},
    {"is limited in time",
     "The statement has no end of the run to hold against the key's dates: say at which time the "
     "key has to be valid, --at TIME."},
    {"was valid until",
     "Ask whether it was signed while the key was valid; if that is sure from elsewhere, --at TIME "
     "asks about that time, else have the run signed with a key that is valid."},
    {"is valid from",
     "The key is newer than the time that is asked about: look at the vendor's valid-after and at "
     "--at, or have the run signed with the key of that time."},
    {"the signature",
     "statement.json.sig is no signature that could be read: have the vendor sign again, with an "
     "Ed25519 key (fpreport collect RUN --sign KEY)."},
    {NULL, NULL},
};

/* clang-format off */
const struct explanation explain_evidence[] = {
    {.id = "FP4001", .in = EXPLAIN_RECORD,
     .why = "Evidence that can be exchanged is none: the record names the bytes.",
     .how = "SHA-256 of the .tar.zst is compared with the one in the record; an archive "
            "that cannot be read fails.",
     .fix = "Give the file that was sealed, or seal again and state the new sum.",
     .honest = "\"sha256\": \"1",
     .changed = "\"sha256\": \"0"},
    {.id = "FP4002", .in = EXPLAIN_SEALED, .file = "rank0.out.log",
     .why = "The manifest binds every file, so that one changed line of one log shows.",
     .how = "Every file of the archive is in SHA256SUMS with its SHA-256, and every line "
            "there has its file. `sha256sum -c` does the same.",
     .fix = "Do not edit a sealed run: run the case again.",
     .honest = "\"loss\": 4.80594683",
     .changed = "\"loss\": 1.80594683"},
    {.id = "FP4003", .in = EXPLAIN_RUN, .file = "run.json",
     .why = "A run that ended early has figures of something else than the case.",
     .how = "run.json must say that the run is complete and of the result's case.",
     .fix = "Run the case to its end.",
     .honest = "\"state\": \"complete\"",
     .changed = "\"state\": \"failed\""},
    {.id = "FP4004", .in = EXPLAIN_RUN, .file = "case.json",
     .why = "Results are compared by case; a changed batch or length makes another case of "
            "it.",
     .how = "case.json of the submission is compared with the published case field by "
            "field, but for titles, report and alignment; its digest and that of the data "
            "with the fingerprint's.",
     .fix = "Run the published case, or publish the changed one under a name of its own.",
     .honest = "\"micro_batch\": 4",
     .changed = "\"micro_batch\": 8"},
    {.id = "FP4005", .in = EXPLAIN_RUN, .file = "rank0.out.log",
     .why = "Everything is recomputed from the log, so that it may not contradict itself or "
            "the case.",
     .how = "Steps, sequences a step and tokens a step of the log are compared with the "
            "case, and so are seed and batch at the head of a native log; its STEP_ZERO with step "
            "1; tokens/s times seconds with the tokens of a step; lines that cannot be "
            "read are named, and so are losses that are no number, steps that come again or run "
            "backwards, and a log that ends before the step that its own lines count to. A native "
            "run that went on from a checkpoint is held to the steps behind it; what was before "
            "cannot be checked.",
     .fix = "Keep the log as it was written, to its last line; a restart belongs into a file of "
            "its own.",
     .honest = "\"tokens/s\": 17803.59794039256",
     .changed = "\"tokens/s\": 37803.59794039256"},
    {.id = "FP4006", .in = EXPLAIN_RECORD,
     .why = "The environment of a page is typed by hand, the fingerprint is taken by the "
            "program on the machine that ran, and the log says what the training itself saw.",
     .how = "Field by field (system, kernel, machine, CPU, card, number and memory of cards, "
            "driver and its runtime, machines, ranks, precision, framework and its commit, image, "
            "libraries): what the record says, fingerprint.json, sys_info.log, the monitors, the "
            "case with the folder's name, and what the log prints at its head must mean the same. "
            "A version may be shorter than another, a run may leave cards of its machine idle. Of a "
            "run in a container the system may be the image's or the machine's: that they differ "
            "is a notice.",
     .fix = "State what the fingerprint has.",
     .honest = "\"AMD EPYC\"",
     .changed = "\"Intel Xeon\""},
    {.id = "FP4007", .in = EXPLAIN_RUN, .file = "rank0.out.log",
     .why = "Time stamps and step times are written by different means; invented times "
            "agree with neither.",
     .how = "The seconds of the steps are added up and compared with the span of their time "
            "stamps: not longer, and for our own trainer, which does nothing between steps, "
            "not much shorter, apart from one pause in 50 steps, as a busy machine makes them. "
            "That monitors cover less time than the steps take is a notice."
            ,
     .fix = "There is no honest reason for longer steps than time; for shorter ones, say "
            "what ran in between.",
     .honest = "\"step_time_s\": 0.013448867999613867",
     .changed = "\"step_time_s\": 9.013448867999613"},
    {.id = "FP4008", .in = EXPLAIN_RECORD,
     .why = "Batch sizes, precision and model on a page are what a reader would repeat the "
            "run with.",
     .how = "LBS, GAS, MPE and GBS of the row or the page, its precision and its model are "
            "compared with those of the case that was run.",
     .fix = "State the settings of the run.",
     .honest = "\"模型\", \"tiny_llama\"",
     .changed = "\"模型\", \"llama2_7b\""},
    {.id = "FP4009", .in = EXPLAIN_RUN, .file = "rank0.out.log",
     .why = "A manifest is made when a run is sealed, by whoever seals it; run.json is closed by "
            "the program when the run ends, so that what is edited in between shows.",
     .how = "run.json has the SHA-256 of every other file of the run; each is computed again. "
            "Files that came later (logs of other machines) may be there.",
     .fix = "Seal the run as it ended, or run the case again.",
     .honest = "\"grad_norm\": 4.74735832",
     .changed = "\"grad_norm\": 4.64735832"},
    {.id = "FP4010", .in = EXPLAIN_RUN, .file = "run.json",
     .why = "Who edits a run, or puts one together from two, has to keep names and times in "
            "step; it is easily forgotten.",
     .how = "The folder of the case, the machine and the version are those that run.json names; "
            "a complete run ended with 0; PerfLog's stamps lie between its start and its end, and the "
            "fingerprint was taken then, give or take an hour; no step ends before the one before "
            "it.",
     .fix = "Seal the run as it ended, or run the case again.",
     .honest = "\"exit_status\": 0",
     .changed = "\"exit_status\": 3"},
    {.id = "FP4011", .in = EXPLAIN_RUN, .file = "rank0.out.log",
     .why = "A curve that diverges or falls does so over steps; a single value far off its "
            "neighbours is a typing error, or a batch worth looking at.",
     .how = "A loss is named when it is off the median of the ten steps on both sides by more "
            "than half of it and by more than 12 scaled median distances, while the steps beside "
            "it are not.",
     .fix = "Look at the data of that step; leave the log as it was written.",
     .honest = "\"loss\": 1.43734407",
     .changed = "\"loss\": 9.43734407"},
    {.id = "FP4012", .in = EXPLAIN_RUN, .file = "rank0.out.log",
     .why = "The summary of a run is what people read and copy; who changes it often forgets the "
            "thousand lines above it.",
     .how = "Steps and samples of the FINISHED event are not fewer than those that were logged. "
            "Our own trainer logs every step: there steps, samples, last loss, seconds and tokens "
            "per second are those of the steps.",
     .fix = "Leave the log as it was written, or run the case again.",
     .honest = "\"global_steps\": 250, \"num_trained_samples\": 1000, \"pure",
     .changed = "\"global_steps\": 200, \"num_trained_samples\": 1000, \"pure"},
    {.id = "FP4013", .in = EXPLAIN_RUN, .file = "fingerprint.json",
     .why = "A peak is a number in a datasheet; what a card really does depends on its power, its "
            "cooling and on whether it is that card. A product of large matrices, measured before "
            "the training, is what no training can surpass.",
     .how = "Where the fingerprint has measured rates: factor * N * token/p/s may be at most the "
            "best product in the run's precision (and 5 % for the clock), the middle one at least "
            "half of the peak and not beyond it, and no rank 5 % slower than the middle of all.",
     .fix = "Look at power limits and clocks (nvidia_clock_monitor.log), at the card's record and "
            "its peaks, and at the number of cards that the rate is divided by.",
     .honest = "\"min\": 0.6202, \"median\": 0.6367, \"max\": 0.6397",
     .changed = "\"min\": 0.0102, \"median\": 0.0137, \"max\": 0.0139"},
    {.id = "FP4014", .in = EXPLAIN_SEALED, .file = "statement.json",
     .why = "The statement is what is signed, and what others read who know in-toto and SLSA and "
            "not our files.",
     .how = "statement.json is made again from case.json, run.json and the fingerprint of the "
            "submission; every field that it has must say the same. Fields that we would not write "
            "are passed over. A submission that was sealed before there were statements has none.",
     .fix = "Leave the statement as `fpreport collect` writes it.",
     .honest = "\"precision\": \"fp32\"",
     .changed = "\"precision\": \"bf16\""},
    {.id = "FP4015", .in = EXPLAIN_SEALED, .file = "statement.json",
     .why = "Sums show that nothing was changed since the sealing, a signature shows who vouches for "
            "it: nobody else can put another run in its place.",
     .how = "statement.json.sig must be an SSH signature of statement.json for "
            "fpreport-submission-v1, by an Ed25519 key that allowed_signers has for the vendor, "
            "valid at that time and not revoked. Without a file of signers it is only "
            "asked whether the signature fits the statement. What is not signed is an error where "
            "--signers asks, a warning where the records have signers.",
     .fix = "Have the vendor seal and sign the run: fpreport collect RUN --sign KEY.",
     .cases = signature_cases,
     .honest = "\"startedOn\": \"2026-11-20T19:47:19Z\"",
     .changed = "\"startedOn\": \"2026-11-20T19:47:20Z\""},
    {.id = "FP4016", .in = EXPLAIN_RUN, .file = "run.json",
     .why = "A machine whose clock was never set says 1970; a run of tomorrow was made up, or its "
            "clock is ahead of all others.",
     .how = "The end of the run is not before 2017-01-01, not more than 5 minutes after its first "
            "file came to the archive, and not behind the `date` of site.json in any time zone. The "
            "clock of the machine that judges is not asked, so that a verdict stays what it is.",
     .fix = "Set the machine's clock and run the case again; or give site.json its date.",
     .honest = "\"finished\": \"2026-11-20T19:47:23Z\"",
     .changed = "\"finished\": \"2016-11-20T19:47:23Z\""},
    {.id = NULL},
};
/* clang-format on */
