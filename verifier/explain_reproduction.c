/* explain_reproduction: the explanations of FP5xxx. Second runs. */
#include "verifier/explain_rules.h"

/* clang-format off */
const struct explanation explain_reproduction[] = {
    {.id = "FP5001", .in = EXPLAIN_REPRODUCTION,
     .why = "Anybody can write that a result was reproduced; the run that was made for it is "
            "what shows it.",
     .how = "The archive that the record names is opened as evidence is (FP4001, FP4002): its "
            "SHA-256 is the stated one, every file is what its manifest says.",
     .fix = "Give the archive that `fpreport reproduce` wrote beside the record, or run the "
            "case again.",
     .honest = "\"archive\": \"reproductions/",
     .changed = "\"archive\": \"lost/"},
    {.id = "FP5002", .in = EXPLAIN_RERUN, .file = "run.json",
     .why = "A run of something else, or half a run, says nothing about the result.",
     .how = "The run is complete and of the result's case, its case.json is the published "
            "case, its log has all steps and does not contradict itself or its clock (FP4003, "
            "FP4004, FP4005, FP4007).",
     .fix = "Run the published case to its end.",
     .honest = "\"state\": \"complete\"",
     .changed = "\"state\": \"failed\""},
    {.id = "FP5003", .in = EXPLAIN_REPRODUCTION,
     .why = "A copy agrees with its original in everything, and shows nothing.",
     .how = "The manifest, the bytes of the log and the times of its steps are compared with "
            "those of the evidence; no two honest runs share them. A run counts once.",
     .fix = "Run the case again.",
     .honest = "\"archive\": \"reproductions/globex/tiny_llama/run20261120215829.tar.zst\",\n"
               "  \"sha256\": \"bcb257f0f0509cedc6e539c9f970217aa60c07d8e550fb52f8c6a238d7d94b87\"",
     .changed = "\"archive\": \"evidence/globex/run.tar.zst\",\n"
                "  \"sha256\": \"8e6111e6a0f25717bb92412c122f79da77b0a6712dbc13fff06c32f04b3cb84b\""},
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
    {.id = NULL},
};
/* clang-format on */
