/*
 * option_list: every option that commands may take, one row each: its name in lists of commands
 * (OPTION_OUT), its member of struct options (cli.h), its name, what stands for its value in --help
 * ("[=X]": only as --name=X, else ""), and its line there; a flag has no value. A full row has a
 * letter, too (0: none), and which values there are (a list of options.c; NULL: any).
 */
#ifndef CLI_OPTION_LIST_H
#define CLI_OPTION_LIST_H

/* clang-format off */
#define OPTIONS(VALUE, FLAG, FULL) \
    FULL(OUT, out, 'o', "out", "PATH", NULL, NULL) \
    VALUE(FORMAT, format, "format", "FORM", NULL) \
    FULL(LANG, lang, 0, "lang", "LANG", "zh or en; both when not given", langs) \
    VALUE(VENDOR, vendor, "vendor", "ID", "the vendor, when the path does not name it") \
    VALUE(CASE, case_id, "case", "ID", "the case, when the path does not name it") \
    VALUE(RECORDS, records, "records", "DIR", "records folder; sample: the shipped records") \
    FLAG(DIFF, diff, "diff", "compare two fingerprints") \
    VALUE(FROM_STEP, from_step, "from-step", "N", "first step that is compared (21)") \
    VALUE(LIMIT, limit, "limit", "PERCENT", "of the mean; below it is aligned (2)") \
    VALUE(STRIDE, stride, "stride", "N", "steps from report to report, where a log does not say") \
    VALUE(LEARN, learn, "learn", "LOG", "propose a row of the format table for LOG") \
    VALUE(LINE, line, "line", "N", "number of the example line in LOG") \
    VALUE(STEP, step, "step", "TEXT", "the step number in that line") \
    VALUE(LOSS, loss, "loss", "TEXT", "the loss in that line") \
    FULL(ORDER, order, 0, "order", "CLAIM", "data order as claimed: same or other", orders) \
    VALUE(AGAINST, against, "against", "WHAT", "result, page[#ROW] (or own run) that it is held to") \
    FLAG(STRICT, strict, "strict", "same as --fail-on warning") \
    FULL(FAIL_ON, fail_on, 0, "fail-on", "WHAT", "error, warning, notice or never (error)", fail_on) \
    VALUE(ONLY, only, "only", "RULES", "of these rules: FP2003, or FP2 for all FP2xxx; with ,") \
    VALUE(RULES, rules, "rules", "VERSION", "use an older rule set; list shows them") \
    VALUE(SHARD, shard, "shard", "K/N", "only part K (from 0) of N; merge joins them") \
    VALUE(VERDICTS, verdicts, "verdicts", "DIR", "use the verdicts of shards; verify nothing") \
    VALUE(JOIN, join, "join", "DIR", "the parts that --shard K/N -o DIR/K made") \
    VALUE(RULESET, ruleset, "ruleset", "X.Y.Z", "rules of this MLPerf round (by the path, else newest)") \
    FLAG(SEAL, seal, "seal", "of an MLPerf package: seal the logs as evidence, too") \
    VALUE(FLAGPERF, flagperf, "flagperf", "DIR", "a FlagPerf checkout, for its configurations") \
    VALUE(BY, by, "by", "NAME", "who runs it, for the record") \
    VALUE(GPUS, gpus, "gpus", "N", "as many ranks, each on a GPU: --ranks N --device cuda") \
    VALUE(RANKS, ranks, "ranks", "N", "processes of this case; of a command, all it starts") \
    VALUE(NODES, nodes, "nodes", "N", "machines that the command's ranks are on") \
    VALUE(CARDS, cards, "cards", "N", "cards of the run, on all machines") \
    VALUE(ACCELERATOR, accelerator, "accelerator", "ID", "the card that the run used: its record's id") \
    VALUE(MODEL, model, "model", "ID", "the model: its record's id") \
    VALUE(FINGERPRINT, fingerprint, "fingerprint", "FILE", "fingerprint.json of the machine") \
    VALUE(PARALLEL, parallel, "parallel", "PLAN", "divide it so: TP2PP2DP2; CP, and V for chunks") \
    VALUE(DEVICE, device, "device", "WHAT", "cpu, cuda, or the number of a GPU") \
    VALUE(PREVIOUS, previous, "previous", "DIR", "site that was published last: changes, history") \
    VALUE(REPEAT, repeat, "repeat", "RUN", "choose algorithms as that run did") \
    VALUE(BRANCH, branch, "branch", "NAME", "branch of the site (gh-pages)") \
    VALUE(PUSH, push, "push", "[=REMOTE]", "send it to a remote, too (origin)") \
    VALUE(ACCEPT, accept, "accept", "[=VENDOR/CASE]", "publish although verdicts changed; of these alone") \
    FLAG(BUILD, build, "build", "build the site before") \
    FULL(RECURSIVE, recursive, 'r', "recursive", "DIR", "all pages below it: …/<vendor>/<case>/README.md", NULL) \
    FLAG(DRY_RUN, dry_run, "dry-run", "say what would be done, and write nothing") \
    VALUE(CHECKPOINT_EVERY, checkpoint_every, "checkpoint-every", "N", "write a checkpoint every N steps, and at the end") \
    VALUE(KEEP, keep, "keep", "K", "number of newest checkpoints to keep (1)") \
    VALUE(RESUME, resume, "resume", "WHAT", "resume from a checkpoint, a run, or 'latest'") \
    VALUE(INIT, init, "init", "DIR", "first weights: a Llama in Hugging Face's safetensors") \
    VALUE(TOKENIZER, tokenizer, "tokenizer", "FILE", "tokenizer.model: a SentencePiece BPE model") \
    VALUE(TEXTS, texts, "texts", "FORMAT", "text, lines, json, samsum, llava-plain, llava-v1") \
    VALUE(IMAGES, images, "images", "DIR", "the folder of images that files name") \
    VALUE(SIDE, side, "side", "N", "pixels of a side that images become (336)") \
    VALUE(PACK, pack, "pack", "N", "join all texts, and cut at every N-th token") \
    VALUE(QUESTIONS, questions, "questions", "DIR", "the folder of MMLU or MMMU") \
    VALUE(PROJECTOR, projector, "projector", "DIR", "its projector, where --init has none") \
    VALUE(TOWER, tower, "tower", "DIR", "its CLIP tower, where --init has none") \
    VALUE(ADAPTERS, adapters, "adapters", "DIR", "LoRA adapters in peft's files, of a case with some") \
    FLAG(MEASURE, measure, "measure", "measure the machine's rates, too") \
    FLAG(NO_MEASURE, no_measure, "no-measure", "do not measure the GPUs before they train") \
    VALUE(PORT, port, "port", "N", "port on 127.0.0.1; 0: a free one (8000)") \
    FLAG(NO_BUILD, no_build, "no-build", "show the site as it is") \
    FLAG(NO_CACHE, no_cache, "no-cache", "build everything again; ignore and write no cache") \
    FLAG(KEEP_GOING, keep_going, "keep-going", "leave out records that cannot be read") \
    FLAG(REQUIRE_LANDLOCK, require_landlock, "require-landlock", "read no submission where the kernel has no Landlock") \
    VALUE(SIGN, sign, "sign", "KEY", "sign with this key: private, or one in ssh-agent") \
    VALUE(SIGNERS, signers, "signers", "FILE", "allowed_signers: who must have signed") \
    VALUE(REVOKED, revoked, "revoked", "FILE", "revoked public keys") \
    VALUE(AT, at, "at", "TIME", "when keys had to be valid: YYYYMMDD[HHMM[SS]] (now)") \
    VALUE(CHALLENGE, challenge, "challenge", "FILE", "the challenge that the run answers") \
    VALUE(STEPS, steps, "steps", "N", "steps of a challenge to train here (200)") \
    VALUE(MINUTES, minutes, "minutes", "N", "time limit of that training (30)") \
    VALUE(KEY, key, "key", "FILE", "public key (.pub) that must sign the submission") \
    VALUE(ARCHIVE, archive, "archive", "DIR", "archive of submissions (beside the records)") \
    VALUE(REASON, reason, "reason", "TEXT", "why; stands in the log and on the page") \
    VALUE(REASON_ZH, reason_zh, "reason-zh", "TEXT", "the same for Chinese pages") \
    VALUE(OPERATOR, signed_by, "operator", "NAME", "whose signature checkpoints must have") \
    VALUE(SINCE, since, "since", "FILE", "an older checkpoint that must still hold") \
    FULL(PUBLISH, publish, 0, "publish", "WHAT", "full or hashes; members that are named: the rest", publish) \
    FLAG(PUBLISH_AGAIN, publish_again, "publish-again", "also what was withheld until now") \
    FLAG(TRUST_CLOCK, trust_clock, "trust-clock", "the clock is right, though the last entry is later") \
    FLAG(FORCE, force, "force", "replace what is there")
/* clang-format on */

#endif
