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
    FULL(LANG, lang, 0, "lang", "LANG", "zh or en; both when not given", langs) \
    VALUE(VENDOR, vendor, "vendor", "ID", "id of the vendor, if the path does not name it") \
    VALUE(CASE, case_id, "case", "ID", "id of the case, if the path does not name it") \
    VALUE(RECORDS, records, "records", "DIR", "records folder; sample means the shipped records") \
    FLAG(DIFF, diff, "diff", "compare two fingerprints") \
    VALUE(FROM_STEP, from_step, "from-step", "N", "first step that is compared (21)") \
    VALUE(LIMIT, limit, "limit", "PERCENT", "limit of the mean deviation, in percent (2)") \
    VALUE(STRIDE, stride, "stride", "N", "steps between reports, if the log states no steps") \
    VALUE(LEARN, learn, "learn", "LOG", "propose a row of the format table for LOG") \
    VALUE(LINE, line, "line", "N", "number of the example line in LOG") \
    VALUE(STEP, step, "step", "TEXT", "the step number in that line") \
    VALUE(LOSS, loss, "loss", "TEXT", "the loss in that line") \
    FULL(ORDER, order, 0, "order", "CLAIM", "claimed data order: same or other", orders) \
    VALUE(AGAINST, against, "against", "WHAT", "result, page[#ROW] or own run to compare with") \
    FLAG(STRICT, strict, "strict", "same as --fail-on warning") \
    FULL(FAIL_ON, fail_on, 0, "fail-on", "WHAT", "error, warning, notice or never (error)", fail_on) \
    VALUE(ONLY, only, "only", "RULES", "only these rules, such as FP2003,FP5 (all of FP5xxx)") \
    VALUE(RULES, rules, "rules", "VERSION", "use an older rule set; 'list' prints all rule sets") \
    VALUE(SHARD, shard, "shard", "K/N", "only part K of N (K from 0); merge joins the parts") \
    VALUE(VERDICTS, verdicts, "verdicts", "DIR", "use the verdicts of shards in DIR") \
    VALUE(JOIN, join, "join", "DIR", "join the parts that --shard K/N -o DIR/K made") \
    VALUE(RULESET, ruleset, "ruleset", "X.Y.Z", "rules of this MLPerf round (from the path, or newest)") \
    FLAG(SEAL, seal, "seal", "also seal the logs of an MLPerf package as evidence") \
    VALUE(FLAGPERF, flagperf, "flagperf", "DIR", "FlagPerf checkout with the configuration files") \
    VALUE(BY, by, "by", "NAME", "your name, for the record or log") \
    VALUE(GPUS, gpus, "gpus", "N", "same as --ranks N --device cuda") \
    VALUE(RANKS, ranks, "ranks", "N", "total number of ranks, over all machines") \
    VALUE(NODES, nodes, "nodes", "N", "number of machines that run COMMAND's ranks") \
    VALUE(CARDS, cards, "cards", "N", "number of cards of the run, on all machines") \
    VALUE(ACCELERATOR, accelerator, "accelerator", "ID", "id of the card that the run used") \
    VALUE(MODEL, model, "model", "ID", "id of the model") \
    VALUE(FINGERPRINT, fingerprint, "fingerprint", "FILE", "fingerprint.json of the machine") \
    VALUE(PARALLEL, parallel, "parallel", "PLAN", "parallel plan, such as TP2PP2DP2; CP, V (chunks)") \
    VALUE(DEVICE, device, "device", "WHAT", "cpu, cuda, or the number of a GPU") \
    VALUE(PREVIOUS, previous, "previous", "DIR", "folder of the last published site") \
    VALUE(REPEAT, repeat, "repeat", "RUN", "use the matrix-product algorithms of this run") \
    VALUE(BRANCH, branch, "branch", "NAME", "branch of the site (gh-pages)") \
    VALUE(PUSH, push, "push", "[=REMOTE]", "also push to a remote (origin)") \
    VALUE(ACCEPT, accept, "accept", "[=VENDOR/CASE]", "accept changed verdicts: of one result, or all") \
    FLAG(BUILD, build, "build", "build the site first") \
    FULL(RECURSIVE, recursive, 'r', "recursive", "DIR", "all pages in DIR: …/<vendor>/<case>/README.md", NULL) \
    FLAG(DRY_RUN, dry_run, "dry-run", "show what would be done; write nothing") \
    VALUE(CHECKPOINT_EVERY, checkpoint_every, "checkpoint-every", "N", "write a checkpoint every N steps, and at the end") \
    VALUE(KEEP, keep, "keep", "K", "number of newest checkpoints to keep (1)") \
    VALUE(RESUME, resume, "resume", "WHAT", "resume from a checkpoint, a run, or 'latest'") \
    VALUE(INIT, init, "init", "DIR", "initial weights: a Hugging Face Llama (safetensors)") \
    VALUE(TOKENIZER, tokenizer, "tokenizer", "FILE", "tokenizer.model: a SentencePiece BPE model") \
    VALUE(TEXTS, texts, "texts", "FORMAT", "text, lines, json, samsum, llava-plain, llava-v1") \
    VALUE(IMAGES, images, "images", "DIR", "folder of the images that FILE names") \
    VALUE(SIDE, side, "side", "N", "side length of the prepared images, in pixels (336)") \
    VALUE(PACK, pack, "pack", "N", "join all texts, and cut them every N tokens") \
    VALUE(QUESTIONS, questions, "questions", "DIR", "the folder of MMLU or MMMU") \
    VALUE(PROJECTOR, projector, "projector", "DIR", "LLaVA projector, if --init contains none") \
    VALUE(TOWER, tower, "tower", "DIR", "CLIP vision tower, if --init contains none") \
    VALUE(ADAPTERS, adapters, "adapters", "DIR", "LoRA adapters as peft saves them, for a LoRA case") \
    FLAG(MEASURE, measure, "measure", "also measure the speed of the machine") \
    FLAG(NO_MEASURE, no_measure, "no-measure", "do not measure the GPUs before training") \
    VALUE(PORT, port, "port", "N", "port on 127.0.0.1; 0 means any free port (8000)") \
    FLAG(NO_BUILD, no_build, "no-build", "serve the existing site without building it") \
    FLAG(NO_CACHE, no_cache, "no-cache", "build everything again; ignore and write no cache") \
    FLAG(KEEP_GOING, keep_going, "keep-going", "leave out records that cannot be read") \
    FLAG(REQUIRE_LANDLOCK, require_landlock, "require-landlock", "refuse submissions if the kernel has no Landlock") \
    VALUE(SIGN, sign, "sign", "KEY", "sign with this key: private, or one in ssh-agent") \
    VALUE(SIGNERS, signers, "signers", "FILE", "allowed_signers file with the accepted public keys") \
    VALUE(REVOKED, revoked, "revoked", "FILE", "revoked public keys") \
    VALUE(AT, at, "at", "TIME", "check keys at this time: YYYYMMDD[HHMM[SS]] (now)") \
    VALUE(CHALLENGE, challenge, "challenge", "FILE", "challenge file that the run answers") \
    VALUE(STEPS, steps, "steps", "N", "number of steps to train for a challenge (200)") \
    VALUE(MINUTES, minutes, "minutes", "N", "limit for training a challenge, in minutes (30)") \
    VALUE(KEY, key, "key", "FILE", "public key (.pub) that must sign the submission") \
    VALUE(ARCHIVE, archive, "archive", "DIR", "archive of submissions (next to the records folder)") \
    VALUE(REASON, reason, "reason", "TEXT", "the reason, shown in the log and on the page") \
    VALUE(REASON_ZH, reason_zh, "reason-zh", "TEXT", "the reason in Chinese, for Chinese pages") \
    VALUE(OPERATOR, signed_by, "operator", "NAME", "name of the signer of the checkpoints") \
    VALUE(SINCE, since, "since", "FILE", "an older checkpoint that the log must agree with") \
    FULL(PUBLISH, publish, 0, "publish", "WHAT", "full (all files) or hashes (only the hashes)", publish) \
    FLAG(PUBLISH_AGAIN, publish_again, "publish-again", "also publish files that were withheld until now") \
    FLAG(TRUST_CLOCK, trust_clock, "trust-clock", "trust the clock even if the last entry is later") \
    FLAG(FORCE, force, "force", "replace existing files")
/* clang-format on */
