#include "base/calendar.h"
#include "base/foreign.h"
#include "base/sealed/statement.h"
#include "base/signing/signers.h"
#include "base/signing/sshsig.h"
#include "base/store/store.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"
#include "verifier/proofs/rivals.h"

static void unsigned_one(struct audit *a, struct proof *p)
{
    const struct signers *signers = a->project->signers;
    struct check_result *r =
        proof_report(a, p, NULL, signers ? OUTCOME_FAIL : OUTCOME_CANNOT,
                     "the submission is not signed: only the archive vouches for it");
    if (signers && !signers->required)
        r->severity = SEVERITY_WARNING;
}

static void refused(struct audit *a, struct proof *p, const char *why)
{
    p->signature.state = SIGNED_BADLY;
    p->signature.why = why;
    proof_report(a, p, SUBMISSION_SIGNATURE, OUTCOME_FAIL, why);
}

/* The file that came to the archive and is this one, or is published in part as this one. Another
 * file of the same run has another signature, and came on another day. */
static const struct store_item *came_as(const struct store *s, const struct proof *p)
{
    const struct store_object *o = store_object_of(&s->index, p->submission.archive_sha256);
    const char *of = o ? o->entry->of : NULL;
    return o ? store_submission_of(&s->index, of ? of : o->sha256) : NULL;
}

/* When the key must have been valid: as asked, else when the archive got the submission, else as
 * base/signing/signers.h says. */
static long long counts_at(struct audit *a, const struct proof *p, struct bytes statement)
{
    const struct signers *signers = a->project->signers;
    const struct store *s = a->project->store;
    const struct store_item *item = s ? came_as(s, p) : NULL;
    long long entered;
    if (signers->at)
        return signers->at;
    if (item && item->added && calendar_time(store_entry_day(item->added), &entered))
        return entered;
    return signers->otherwise ? signers->otherwise : statement_finished(statement, a->arena);
}

/* A signature that holds: whose is it? */
static void find_signer(struct audit *a, struct proof *p, const struct sshsig *s,
                        struct bytes statement)
{
    const struct signers *signers = a->project->signers;
    struct signature *out = &p->signature;
    const char *why;
    if (!signers) {
        out->state = SIGNED_UNKNOWN;
        proof_report(a, p, SUBMISSION_SIGNATURE, OUTCOME_CANNOT,
                     sentence_say(a->arena,
                                  "the submission is signed with the key %s, but the owner of this "
                                  "key is unknown because no file of signers is given",
                                  out->key));
        return;
    }
    const struct signers_question q = {.key = &s->key,
                                       .principal =
                                           a->result ? a->result->vendor : signers->principal,
                                       .namespace = SSHSIG_SUBMISSION,
                                       .at = counts_at(a, p, statement)};
    const struct signer *signer = signers_find(signers, &q, a->arena, &why);
    if (!signer) {
        refused(a, p,
                sentence_say(a->arena, "the submission is signed with the key %s, which %s",
                             out->key, why));
        return;
    }
    out->state = SIGNED_BY;
    out->signer = q.principal ? q.principal : signer_name(signer, a->arena);
    proof_report(a, p, SUBMISSION_SIGNATURE, OUTCOME_PASS,
                 sentence_say(a->arena, "the submission is signed by %s with the key %s",
                              out->signer, out->key));
}

/* Does an entry say whose it was, and is it not taken back? */
static bool says_whose(struct audit *a, const struct store_entry *e)
{
    const struct store_item *file = store_submission_of(&a->project->store->index, e->object);
    return file && !file->withdrawn && e->signer && project_vendor(a->project, e->signer);
}

/* The first that the archive's log has of this run and that says whose it was; NULL. */
static const struct store_entry *first_of_run(struct audit *a, const struct proof *p)
{
    const struct store *s = a->project->store;
    const struct store_item *run = s ? store_item_of(&s->index, p->submission.id) : NULL;
    if (!run || !run->added)
        return NULL;
    for (const struct store_entry *e = run->added; e < s->log.entries + s->log.n; e++)
        if (strcmp(e->kind, STORE_ADDED) == 0 && strcmp(e->submission, run->submission) == 0 &&
            says_whose(a, e))
            return e;
    return NULL;
}

/* Is it this file, or another one of the same run? */
static bool is_of_run(const struct proof *p, const struct evidence *e)
{
    return (e->run && strcmp(e->run, p->submission.id) == 0) ||
           strcmp(e->sha256, p->submission.archive_sha256) == 0;
}

/* Another vendor's result of the case that names the run; NULL. Where this one is signed by its
 * vendor, one that is not says nothing against it: anybody can name another's file. */
static const struct result *other_of_run(struct audit *a, const struct proof *p)
{
    size_t n;
    const struct result **all = project_case_results(a->project, a->result->case_id, &n);
    bool own = p->evidence && p->evidence->own;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < all[i]->n_evidence; k++)
            if (strcmp(all[i]->vendor, a->result->vendor) != 0 && !all[i]->withdrawn &&
                (all[i]->evidence[k].own || !own) && is_of_run(p, &all[i]->evidence[k]))
                return all[i];
    return NULL;
}

/* Did this one come to the archive as its vendor's before that one came, if it did? */
static bool came_first(struct audit *a, const struct proof *p, const struct evidence *e)
{
    const struct store *s = a->project->store;
    const struct store_item *mine = s ? came_as(s, p) : NULL;
    const struct store_item *theirs = s ? store_submission_of(&s->index, e->sha256) : NULL;
    return mine && says_whose(a, mine->added) &&
           strcmp(mine->added->signer, a->result->vendor) == 0 &&
           (!theirs || mine->added->line < theirs->added->line);
}

/* Another vendor's result of the case that has this file in another run; NULL. */
static const struct result *other_of_file(struct audit *a, const struct proof *p,
                                          const char *sha256)
{
    size_t n;
    const struct rival *all = rivals_with(&a->project->rivals, a->result->case_id, sha256, &n);
    bool own = p->evidence && p->evidence->own;
    for (size_t i = 0; i < n; i++) {
        const struct result *other = all[i].result;
        const struct evidence *e = all[i].evidence;
        if (strcmp(other->vendor, a->result->vendor) != 0 && !other->withdrawn &&
            !is_of_run(p, e) && (e->own || !own) && !came_first(a, p, e))
            return other;
    }
    return NULL;
}

/* The same of a log of losses, with a file beside it altered, so that it is no longer the same run.
 */
static const struct result *other_of_log(struct audit *a, const struct proof *p, const char **log)
{
    for (size_t i = 0; i < p->n_logs; i++) {
        const struct submission_sum *sum =
            p->logs[i]->log.n_points ? submission_sum(&p->submission, p->logs[i]->name) : NULL;
        const struct result *other = sum ? other_of_file(a, p, sum->sha256) : NULL;
        *log = p->logs[i]->name;
        if (other)
            return other;
    }
    return NULL;
}

/* A run has one vendor: the one whose it was when the archive got it first, else the one who signed
 * it, else nobody can tell, and all who name it are told. NULL: nothing is against this one. */
static const char *belongs_to_another(struct audit *a, const struct proof *p)
{
    const struct store_entry *first = a->result ? first_of_run(a, p) : NULL;
    const char *log;
    if (first && strcmp(first->signer, a->result->vendor) != 0)
        return sentence_say(
            a->arena, "the archive first received this run from %s (line %d of the archive log)",
            first->signer, first->line);
    const struct result *other = a->result && !first ? other_of_run(a, p) : NULL;
    if (other)
        return sentence_say(a->arena, "%s/%s uses the same run as evidence", other->vendor,
                            other->case_id);
    other = a->result ? other_of_log(a, p, &log) : NULL;
    return other ? sentence_say(a->arena, "the evidence of %s/%s contains the same loss log: %s",
                                other->vendor, other->case_id, log)
                 : NULL;
}

static void check_signature(struct audit *a, struct proof *p)
{
    struct sshsig s;
    struct err err = ERR_INIT;
    if (!p->opened || p->loose)
        return;
    const char *against = belongs_to_another(a, p);
    if (against) {
        refused(a, p, against);
        return;
    }
    const struct bytes *statement = submission_file(&p->submission, SUBMISSION_STATEMENT);
    const struct bytes *armour = submission_file(&p->submission, SUBMISSION_SIGNATURE);
    if (!statement || !armour) {
        unsigned_one(a, p);
        return;
    }
    if (sshsig_parse(*armour, a->arena, &s, &err) < 0) {
        refused(a, p, sentence_say(a->arena, "the signature %s", err_keep(&err, NULL, a->arena)));
        return;
    }
    p->signature.key = s.key.fingerprint;
    if (strcmp(s.namespace, SSHSIG_SUBMISSION) != 0)
        refused(a, p,
                sentence_say(a->arena, "the signature was made for the purpose '%s', expected '%s'",
                             foreign_name_shown(s.namespace, a->arena), SSHSIG_SUBMISSION));
    else if (!sshsig_holds(&s, SSHSIG_SUBMISSION, *statement))
        refused(a, p,
                "the signature does not match the statement: one of the two files was changed");
    else
        find_signer(a, p, &s, *statement);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the submission is not signed: only the archive vouches for it",
     .zh = "提交包没有签名，因此只有归档库为它的真实性担保"},
    {.en = "the submission is signed with the key %s, but the owner of this key is unknown because "
           "no file of signers is given",
     .zh = "提交包用密钥 {1} 签名，但没有给出签名者文件，因此不知道该密钥属于谁"},
    {.en = "the submission is signed with the key %s, which %s",
     .zh = "提交包用密钥 {1} 签名，但该密钥{2:said}"},
    {.en = "the submission is signed by %s with the key %s",
     .zh = "提交包由 {1} 用密钥 {2} 签名"},
    {.en = "the archive first received this run from %s (line %d of the archive log)",
     .zh = "归档库最早是从 {1} 收到这次运行的（归档日志第 {2} 行）"},
    {.en = "%s/%s uses the same run as evidence",
     .zh = "结果 {1}/{2} 用同一次运行作为证据"},
    {.en = "the evidence of %s/%s contains the same loss log: %s",
     .zh = "结果 {1}/{2} 的证据含有同一份损失日志：{3}"},
    {.en = "the signature %s",
     .zh = "提交包的签名{1:said}"},
    {.en = "the signature was made for the purpose '%s', expected '%s'",
     .zh = "提交包的签名用途是“{1}”，应为“{2}”"},
    {.en = "the signature does not match the statement: one of the two files was changed",
     .zh = "提交包的签名与声明文件（statement.json）不符：签名之后，签名文件或声明文件被改动过"},
    {NULL, NULL},
};

/* What this file says, and base/signing/signers_match.c. */
static const struct rule_case cases[] = {
    {"the signature was made for the purpose '%s', expected '%s'",
     {.en = "The signature was made for another purpose (namespace). Ask the vendor to sign with "
            "fpreport collect --sign, which uses the right namespace.",
      .zh = "提交包的签名用途（命名空间）不对。请厂商用 fpreport collect --sign 重新签名，该命令"
            "使用正确的命名空间。"}},
    {"the archive first received this run from %s (line %d of the archive log)",
     {.en = "Ask both vendors which of them made the run. The other vendor must submit its own run "
            "or withdraw its result.",
      .zh = "请向两家厂商确认这次运行是哪一家完成的。另一家厂商必须提交自己的运行，或撤回自己的"
            "结果。"}},
    {"%s/%s uses the same run as evidence",
     {.en = "Ask both vendors which of them made the run. The other vendor must submit its own run "
            "or withdraw its result.",
      .zh = "请向两家厂商确认这次运行是哪一家完成的。另一家厂商必须提交自己的运行，或撤回自己的"
            "结果。"}},
    {"the evidence of %s/%s contains the same loss log: %s",
     {.en = "Ask both vendors which of them made the run. The other vendor must submit its own run "
            "or withdraw its result.",
      .zh = "请向两家厂商确认这次运行是哪一家完成的。另一家厂商必须提交自己的运行，或撤回自己的"
            "结果。"}},
    {"the submission is not signed: only the archive vouches for it",
     {.en = "Ask the vendor to seal and sign the run: fpreport collect RUN --sign KEY. A run that "
            "is already sealed can be sealed again from its run folder.",
      .zh = "请厂商封存这次运行并签名：fpreport collect RUN --sign KEY。已封存的运行，可以由它的"
            "运行目录重新封存。"}},
    {"the signature does not match the statement: one of the two files was changed",
     {.en = "The file was changed after it was signed. Ask the vendor for the signed file and "
            "compare the SHA-256 of both files; the sender of this file may have changed it.",
      .zh = "文件在签名之后被改动过。请向厂商索取签名时的文件，并比较两个文件的 SHA-256；改动可"
            "能来自发来文件的人。"}},
    {"is not among the keys of %s",
     {.en = "Compare the fingerprint of the key (ssh-keygen -lf KEY.pub) with the fingerprint that "
            "the vendor publishes elsewhere. If the key belongs to the vendor, add the key to the "
            "file of signers; otherwise refuse the submission.",
      .zh = "请将密钥的指纹（ssh-keygen -lf KEY.pub）与厂商在其他渠道公布的指纹比较。如果密钥属"
            "于该厂商，把密钥加入签名者文件；否则拒绝提交包。"}},
    {"is revoked",
     {.en = "The vendor, or the maintainer of the file of signers, revoked this key. Ask the vendor "
            "for a signature with another key, and do not remove this key from the list of revoked "
            "keys.",
      .zh = "厂商或签名者文件的维护者已吊销签名所用的密钥。请厂商用另一个密钥重新签名，不要把已"
            "吊销的密钥从吊销名单中移除。"}},
    {"belongs to no signer: %s",
     {.en = "In the file of signers, the line of this key only excludes vendors and does not name "
            "one. Ask the maintainer of the file to add the vendor's id to this line.",
      .zh = "签名者文件中，写有签名密钥的那一行只排除了某些厂商，没有写明密钥属于哪家厂商。请签"
            "名者文件的维护者在该行写上厂商的标识。"}},
    {"belongs to %s, not to %s",
     {.en = "The key belongs to another vendor. Ask for a submission that this vendor signed, or "
            "name the owner of the key with --vendor.",
      .zh = "签名所用的密钥属于另一家厂商。请索取由提交结果的厂商签名的提交包，或用 --vendor 写"
            "明密钥属于哪家厂商。"}},
    {"may sign for %s, not for %s",
     {.en = "In the file of signers, the line of this key lacks the namespace "
            "fpreport-submission-v1. If the vendor signs submissions with this key, ask the "
            "maintainer of the file to add the namespace.",
      .zh = "签名者文件中，写有签名密钥的那一行没有命名空间 fpreport-submission-v1。如果厂商确实"
            "用该密钥签名提交包，请签名者文件的维护者加上这个命名空间。"}},
    {"has a limited validity period, but the statement has no end time",
     {.en = "The statement does not say when the run ended, so the validity of the key cannot be "
            "checked. Give the time with --at TIME.",
      .zh = "声明文件没有写明运行何时结束，因此无法检查签名密钥在运行结束时是否有效。请用 --at "
            "TIME 给出时间。"}},
    {"was valid until %s, but not on %s",
     {.en = "Ask the vendor whether the run was signed while the key was valid. If another source "
            "confirms the time of signing, pass it with --at TIME; otherwise ask the vendor to sign "
            "the run with a valid key.",
      .zh = "请向厂商确认签名时密钥是否有效。如果另有依据证明签名的时间，用 --at TIME 给出这个时"
            "间；否则请厂商用有效的密钥重新签名。"}},
    {"is valid from %s on, but not on %s",
     {.en = "The key became valid only after the given time. Check valid-after in the line of this "
            "key and the time of --at, or ask the vendor to sign the run with the key that was "
            "valid at that time.",
      .zh = "签名所用的密钥在给出的时间之后才生效。请检查签名者文件中该密钥的 valid-after 和 "
            "--at 给出的时间，或请厂商用当时有效的密钥重新签名。"}},
    {"the signature %s",
     {.en = "statement.json.sig is not a readable signature. Ask the vendor to sign again with a "
            "key made by ssh-keygen (fpreport collect RUN --sign KEY).",
      .zh = "签名文件 statement.json.sig 无法读取。请厂商用 ssh-keygen 生成的密钥重新签名（"
            "fpreport collect RUN --sign KEY）。"}},
    {.says = NULL},
};

const struct rule rule_fp4015 = {
    .id = "FP4015",
    .kind = "signature",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .shows_pass = true,
    .sealed = true,
    .quotes = RULE_QUOTES_NOTHING,
    .proof = check_signature,
    .title = {.en = "Signature of the submission", .zh = "提交包的签名"},
    .statement = {.en = "The vendor must sign its submission with a key that was valid when the "
                        "submission arrived in the archive.",
                  .zh = "厂商必须为自己的提交包签名，且签名密钥在提交包进入归档库时必须有效。"},
    .why = {.en = "Checksums show that nobody changed a submission after it was sealed. A signature "
                  "shows which vendor vouches for the run, so that nobody can replace the run by "
                  "another one.",
            .zh = "校验和表明提交包封存之后没有人改动过。提交包的签名表明由哪家厂商为运行担保，因此"
                  "别人不能用另一次运行替换这次运行。"},
    .how = {.en = "statement.json.sig must be an SSH signature of statement.json for the namespace "
                  "fpreport-submission-v1. The file allowed_signers must list the signing key under "
                  "the vendor's name. The key must not be revoked, and must have been valid at the "
                  "time given by `--at` or, without this option, when the submission arrived in the "
                  "archive. If no file of signers is given, the rule only checks that the signature "
                  "matches the statement. A submission without a signature is an error if the "
                  "option --signers is used, and a warning if the records contain signers.",
            .zh = "文件 statement.json.sig 必须是对 statement.json 的 SSH 签名，命名空间为 "
                  "fpreport-submission-v1。签名者文件 allowed_signers 必须把签名所用的密钥列在厂商"
                  "名下。提交包不得用已吊销的密钥签名。用选项 `--at` 给出时间时，签名密钥必须在该时"
                  "间有效。没有给出时间时，签名密钥必须在提交包进入归档库时有效。如果没有给出签名者"
                  "文件，只检查签名是否与 statement.json 相符。使用选项 --signers 核验时，提交包没"
                  "有签名算错误。没有使用选项 --signers 而记录中列有签名者时，提交包没有签名算警告"
                  "。"},
    .fix = {.en = "Ask the vendor to seal and sign the run with the command fpreport collect RUN "
                  "--sign KEY.",
            .zh = "请厂商用命令 fpreport collect RUN --sign KEY 封存这次运行并签名。"},
    .cases = cases,
    .messages = messages,
    .example = {.in = EXAMPLE_SEALED,
                .file = "statement.json",
                .honest = "\"startedOn\": \"2026-11-20T19:47:19Z\"",
                .changed = "\"startedOn\": \"2026-11-20T19:47:20Z\""},
};
/* clang-format on */
