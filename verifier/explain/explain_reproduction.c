/* explain_reproduction: the explanations of FP5xxx. Second runs. */
#include "verifier/explain/explain_rules.h"

/* clang-format off */
const struct explanation explain_reproduction[] = {
    {.id = "FP5001", .in = EXPLAIN_REPRODUCTION,
     .why = "Anybody can write that a result was reproduced; the run that was made for it is "
            "what shows it.",
     .how = "The archive that the record names is opened as evidence is (FP4001, FP4002, FP4009): its "
            "SHA-256 is the stated one, every file is what its manifest says.",
     .fix = "Give the archive that `fpreport reproduce` wrote beside the record, or run the "
            "case again.",
     .honest = "\"archive\": \"reproductions/",
     .changed = "\"archive\": \"lost/"},
    {.id = "FP5002", .in = EXPLAIN_RERUN, .file = "run.json",
     .why = "A run of something else, or half a run, says nothing about the result.",
     .how = "The run is complete and of the result's case, its case.json is the published "
            "case, its log has all steps and does not contradict itself or its clock (FP4003, "
            "FP4004, FP4005, FP4007, FP4010).",
     .fix = "Run the published case to its end.",
     .honest = "\"state\": \"complete\"",
     .changed = "\"state\": \"failed\""},
    {.id = "FP5003", .in = EXPLAIN_REPRODUCTION,
     .why = "A copy agrees with its original in everything, and shows nothing.",
     .how = "The manifest, the bytes of the log and the times of its steps are compared with "
            "those of the evidence; no two honest runs share them. A run counts once.",
     .fix = "Run the case again.",
     .honest = "\"archive\": \"reproductions/globex/tiny_llama/run20261120222607.tar.zst\",\n"
               "  \"sha256\": \"0edf4095dae53c5ea43af0461fd8d70a5df65315bacf4276a3f4730b5b40f269\"",
     .changed = "\"archive\": \"evidence/globex/run.tar.zst\",\n"
                "  \"sha256\": \"10f3865022fe33c016eb3fa1755433d8900e7055ce9c27406adb4f73425722b1\""},
    {.id = "FP5004", .in = EXPLAIN_REPRODUCTION,
     .why = "The record is for readers, the archives are what counts: both have to say the "
            "same.",
     .how = "Fingerprints, losses and figures of both archives are compared again and the "
            "outcome derived; the record is held to it field by field. All but `by` follows "
            "from the archives.",
     .fix = "Leave the record as `fpreport reproduce` wrote it; when the evidence of the "
            "result was replaced, reproduce the new one.",
     .honest = "\"measured\": \"0.9077\"",
     .changed = "\"measured\": \"0.8077\""},
    {.id = "FP5005", .in = EXPLAIN_RERUN, .file = "rank0.out.log",
     .why = "A second run that gives something else is the strongest doubt that there is; it "
            "is a warning because the fault may lie with the second run.",
     .how = "Native runs on the same kind of device, libraries and version must give the same "
            "bits of loss in every step, all others follow the alignment rule; rates are held "
            "to 10 % on the same kind of accelerator and only reported on another one.",
     .fix = "Compare the fingerprints first (`facts` of the record), then the curves with "
            "`fpreport diff`.",
     .honest = "\"loss\": 4.80594683",
     .changed = "\"loss\": 4.80594684"},
    {.id = "FP5006", .in = EXPLAIN_REPRODUCTION,
     .why = "A result whose evidence is replaced, by `fpreport collect --force` for instance, "
            "was not reproduced as it now stands. Nothing is wrong with either run: the "
            "reproduction does not count for the new evidence.",
     .how = "The SHA-256 of the evidence that the reproduction names (`original_sha256`) is "
            "compared with that of the evidence of its row.",
     .fix = "Run `fpreport reproduce` again, which compares with the evidence of now, and "
            "take the older reproduction out.",
     .honest = "\"original_sha256\": \"10f3865022fe33c0",
     .changed = "\"original_sha256\": \"00a7027e56fb17bb"},
    {.id = NULL},
};
/* clang-format on */
