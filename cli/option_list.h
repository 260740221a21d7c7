/*
 * option_list: every option that commands may take, one row each: its name in lists of commands
 * (OPTION_OUT), its member of struct options (cli.h), its name, what stands for its value in --help
 * ("[=X]": only as --name=X, else ""), and its line there; a flag has no value. A full row has a
 * letter, too (0: none), and which values there are (a list of options.c; NULL: any).
 */
#pragma once

/* clang-format off */
#define OPTIONS(VALUE, FLAG, FULL) \
    FULL(OUT, out, 'o', "out", "PATH", NULL, NULL) \
    VALUE(FORMAT, format, "format", "FORM", NULL) \
    FULL(LANG, lang, 0, "lang", "LANG", "language of the pages: zh or en (default: both)", langs) \
    VALUE(VENDOR, vendor, "vendor", "ID", "id of the vendor, if the path does not name it") \
    VALUE(CASE, case_id, "case", "ID", "id of the case, if the path does not name it") \
    VALUE(RECORDS, records, "records", "DIR", "records folder; sample means the shipped records") \
    FLAG(DIFF, diff, "diff", "compare two fingerprints") \
    VALUE(FROM_STEP, from_step, "from-step", "N", "first step that is compared (21)") \
    VALUE(LIMIT, limit, "limit", "PERCENT", "limit of the mean deviation, in percent (2)") \
    VALUE(STRIDE, stride, "stride", "N", "steps between reports, if the log states no steps") \
    VALUE(LEARN, learn, "learn", "LOG", "draft a description of the format of LOG") \
    VALUE(LINE, line, "line", "N", "number of the example line in LOG") \
    VALUE(STEP, step, "step", "TEXT", "step number in the example line") \
    VALUE(LOSS, loss, "loss", "TEXT", "loss in the example line") \
    FULL(ORDER, order, 0, "order", "CLAIM", "claimed order of the training data: same or other", orders) \
    VALUE(AGAINST, against, "against", "WHAT", "result, page[#ROW] or run to compare with") \
    FLAG(STRICT, strict, "strict", "same as --fail-on warning") \
    FULL(FAIL_ON, fail_on, 0, "fail-on", "WHAT", "severity for exit 1: error, warning, notice or never", fail_on) \
    VALUE(ONLY, only, "only", "RULES", "check only these rules: FP2003,FP5 (FP5: all FP5xxx)") \
    VALUE(RULES, rules, "rules", "VERSION", "use an older rule set; 'list' prints all rule sets") \
    VALUE(SHARD, shard, "shard", "K/N", "do only part K of N (from 0); merge joins the parts") \
    VALUE(VERDICTS, verdicts, "verdicts", "DIR", "use the verdicts that verify --shard wrote into DIR") \
    VALUE(JOIN, join, "join", "DIR", "join the parts that build --shard K/N -o DIR/K made") \
    VALUE(RULESET, ruleset, "ruleset", "X.Y.Z", "rules of this MLPerf round (from the path, or newest)") \
    FLAG(SEAL, seal, "seal", "also seal the logs of the MLPerf package as evidence") \
    VALUE(FLAGPERF, flagperf, "flagperf", "DIR", "FlagPerf checkout with the configuration files") \
    VALUE(BY, by, "by", "NAME", "your name, which is written into the record or log") \
    VALUE(GPUS, gpus, "gpus", "N", "same as --ranks N --device cuda") \
    VALUE(RANKS, ranks, "ranks", "N", "total number of ranks, over all machines") \
    VALUE(NODES, nodes, "nodes", "N", "number of machines on which the ranks run") \
    VALUE(CARDS, cards, "cards", "N", "number of cards of the run, on all machines") \
    VALUE(ACCELERATOR, accelerator, "accelerator", "ID", "id of the card that the run used") \
    VALUE(MODEL, model, "model", "ID", "id of the model that was trained") \
    VALUE(FINGERPRINT, fingerprint, "fingerprint", "FILE", "fingerprint.json of a machine of the run") \
    VALUE(PARALLEL, parallel, "parallel", "PLAN", "parallel plan: TP2PP2DP2, also with CPn, VPn (chunks)") \
    VALUE(DEVICE, device, "device", "WHAT", "device to use: cpu, cuda, or the number of a GPU") \
    VALUE(PREVIOUS, previous, "previous", "DIR", "folder of the last published site") \
    VALUE(REPEAT, repeat, "repeat", "RUN", "use the matrix-product algorithms of this run") \
    VALUE(BRANCH, branch, "branch", "NAME", "git branch of the published site (gh-pages)") \
    VALUE(PUSH, push, "push", "[=REMOTE]", "also push the branch to a git remote (origin)") \
    VALUE(ACCEPT, accept, "accept", "[=VENDOR/CASE]", "accept changed verdicts: of one result, or all") \
    FLAG(BUILD, build, "build", "build the site first") \
    FULL(RECURSIVE, recursive, 'r', "recursive", "DIR", "import all pages DIR/…/<vendor>/<case>/README.md", NULL) \
    FLAG(DRY_RUN, dry_run, "dry-run", "show what would be done; write nothing") \
    VALUE(CHECKPOINT_EVERY, checkpoint_every, "checkpoint-every", "N", "write a checkpoint every N steps and at the end") \
    VALUE(KEEP, keep, "keep", "K", "number of newest checkpoints to keep (1)") \
    VALUE(RESUME, resume, "resume", "WHAT", "resume from a checkpoint, a run, or 'latest'") \
    VALUE(INIT, init, "init", "DIR", "initial weights: a Hugging Face Llama (safetensors)") \
    VALUE(TOKENIZER, tokenizer, "tokenizer", "FILE", "tokenizer.model: a SentencePiece BPE model") \
    VALUE(TEXTS, texts, "texts", "FORMAT", "text, lines, json, samsum, llava-plain or llava-v1") \
    VALUE(IMAGES, images, "images", "DIR", "folder of the images that FILE names") \
    VALUE(SIDE, side, "side", "N", "side length of the prepared images, in pixels (336)") \
    VALUE(PACK, pack, "pack", "N", "join all texts, and cut them every N tokens") \
    VALUE(QUESTIONS, questions, "questions", "DIR", "folder with the questions of MMLU or MMMU") \
    VALUE(PROJECTOR, projector, "projector", "DIR", "weights of LLaVA's projector, if --init lacks them") \
    VALUE(TOWER, tower, "tower", "DIR", "weights of the CLIP tower, if --init lacks them") \
    VALUE(ADAPTERS, adapters, "adapters", "DIR", "LoRA adapters as peft saves them, for a LoRA case") \
    FLAG(MEASURE, measure, "measure", "also measure the speed of the machine") \
    FLAG(NO_MEASURE, no_measure, "no-measure", "do not measure the GPUs before training") \
    VALUE(PORT, port, "port", "N", "port on 127.0.0.1; 0 means any free port (8000)") \
    FLAG(NO_BUILD, no_build, "no-build", "serve the existing site without building it") \
    FLAG(NO_CACHE, no_cache, "no-cache", "build everything again; ignore and write no cache") \
    FLAG(KEEP_GOING, keep_going, "keep-going", "ignore records that cannot be read") \
    FLAG(REQUIRE_LANDLOCK, require_landlock, "require-landlock", "refuse submissions if the kernel has no Landlock") \
    VALUE(SIGN, sign, "sign", "KEY", "sign with this key: private, or one in ssh-agent") \
    VALUE(SIGNERS, signers, "signers", "FILE", "allowed_signers file with the accepted public keys") \
    VALUE(REVOKED, revoked, "revoked", "FILE", "file with revoked public keys") \
    VALUE(AT, at, "at", "TIME", "keys must be valid at YYYYMMDD[HHMM[SS]] (now)") \
    VALUE(CHALLENGE, challenge, "challenge", "FILE", "challenge file that the run answers") \
    VALUE(STEPS, steps, "steps", "N", "number of steps that verify trains (200)") \
    VALUE(MINUTES, minutes, "minutes", "N", "time limit of this training, in minutes (30)") \
    VALUE(KEY, key, "key", "FILE", "public key (.pub) that must sign the submission") \
    VALUE(ARCHIVE, archive, "archive", "DIR", "archive of submissions (next to the records folder)") \
    VALUE(REASON, reason, "reason", "TEXT", "reason, which the log and the result page will show") \
    VALUE(REASON_ZH, reason_zh, "reason-zh", "TEXT", "reason in Chinese, for the Chinese pages") \
    VALUE(OPERATOR, signed_by, "operator", "NAME", "name of the person who signs the checkpoints") \
    VALUE(SINCE, since, "since", "FILE", "older checkpoint with which the log must agree") \
    FULL(PUBLISH, publish, 0, "publish", "WHAT", "publish all files (full), or only hashes (hashes)", publish) \
    FLAG(PUBLISH_AGAIN, publish_again, "publish-again", "allow publishing files that were withheld until now") \
    FLAG(TRUST_CLOCK, trust_clock, "trust-clock", "trust the clock even if the last log entry is later") \
    FLAG(FORCE, force, "force", "replace existing files")
/* clang-format on */
