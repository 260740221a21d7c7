#include "cli/cli.h"

#include "base/columns.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/json/json.h"
#include "base/records/facts.h"
#include "base/text.h"
#include "cli/train/declared_tools.h"
#include "cli/train/training.h"
#include "trainer/device/device.h"
#include "trainer/fingerprint/fingerprint.h"
#include "trainer/machine/probe.h"

#include <string.h>

#define FINGERPRINT_NAME "fingerprint.json"

/* A fingerprint.json, or the first one below a run directory. */
static const char *locate(struct cli *cli, const char *path, struct err *err)
{
    const char **files;
    size_t n;
    if (!file_is_dir(path))
        return path;
    if (dir_walk(path, &cli->arena, &files, &n, err) < 0)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strcmp(path_base(files[i]), FINGERPRINT_NAME) == 0)
            return path_join(&cli->arena, path, files[i]);
    err_set(err, ERR_INPUT, "%s: found no " FINGERPRINT_NAME " below it, expected a run directory",
            path);
    return NULL;
}

static int read_facts(struct cli *cli, const char *path, struct facts *out)
{
    struct err err = ERR_INIT;
    struct bytes text;
    const char *file = locate(cli, path, &err);
    if (!file || file_read(file, JSON_BYTES_MAX, &cli->arena, &text, &err) < 0)
        return cli_fail(cli, &err);
    return facts_read(file, text, &cli->arena, out, &cli->diags) < 0 ? EXIT_INPUT : 0;
}

static void print_fact(struct cli *cli, const char *key, const char *mark, const struct fact *f)
{
    struct fact_kind kind = fact_kind_of(key);
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    /* What stands beside the label: a value with its unit, or in brackets why there is none. */
    bool known = f && f->value;
    buf_str(&text, known ? "" : "(");
    cli_print_safe(&text, known ? f->value : f ? f->unknown : "not recorded");
    if (!known)
        buf_char(&text, ')');
    else if (kind.unit)
        buf_printf(&text, " %s", kind.unit);
    buf_printf(&cli->out, "%s%-24s ", mark, kind.label);
    columns_wrap(&cli->out, strlen(mark) + 25, strlen(mark) + 25, text.data);
    buf_release(&text);
}

/* Rates that both machines were measured for: no difference, but worth a look. */
static void rates_text(struct cli *cli, const struct measured *a, const struct measured *b)
{
    const char *heading = "measured:\n";
    for (size_t i = 0; i < a->n; i++) {
        const struct measure *x = &a->items[i], *y = measured_same(b, x);
        if (!y)
            continue;
        buf_printf(&cli->out, "%s  %-34s %.4g and %.4g %s (%+.1f %%)\n", heading,
                   measure_name(x, &cli->arena), x->median, y->median, x->unit,
                   (y->median / x->median - 1) * 100);
        heading = "";
    }
}

static void rates_json(struct json_writer *w, const struct measured *a, const struct measured *b)
{
    json_begin_array(w, "measured");
    for (size_t i = 0; i < a->n; i++) {
        const struct measure *x = &a->items[i], *y = measured_same(b, x);
        if (!y)
            continue;
        json_begin_object_flat(w, NULL);
        json_string(w, "key", x->key);
        json_number(w, "size", x->size);
        json_string(w, "unit", x->unit);
        json_number(w, "a", x->median);
        json_number(w, "b", y->median);
        json_end_object(w);
    }
    json_end_array(w);
}

/* ---- the same machine, the same cards? --------------------------------------------------------
 */

/* "Host name   the same", "Network addresses   1 in both, of 2 and 4"; only where both are known
 * by one salt. */
static void identities_text(struct cli *cli, const struct facts *a, const struct facts *b)
{
    const char *heading = "identities:\n";
    for (enum fact_id i = 0; i < FACT_KINDS; i++) {
        struct facts_shared s;
        if (fact_kinds[i].class != FACT_NAMES || !facts_share(a, b, i, &cli->arena, &s))
            continue;
        buf_printf(&cli->out, "%s  %-22s ", heading, fact_kinds[i].label);
        if (s.both == s.a && s.both == s.b)
            buf_str(&cli->out, "the same\n");
        else if (s.both == 0)
            buf_str(&cli->out, "none in both\n");
        else
            buf_printf(&cli->out, "%zu in both, of %zu and %zu\n", s.both, s.a, s.b);
        heading = "";
    }
}

static void identities_json(struct cli *cli, struct json_writer *w, const struct facts *a,
                            const struct facts *b)
{
    json_begin_array(w, "identities");
    for (enum fact_id i = 0; i < FACT_KINDS; i++) {
        struct facts_shared s;
        if (fact_kinds[i].class != FACT_NAMES || !facts_share(a, b, i, &cli->arena, &s))
            continue;
        json_begin_object_flat(w, NULL);
        json_string(w, "key", fact_kinds[i].key);
        json_number(w, "a", (double)s.a);
        json_number(w, "b", (double)s.b);
        json_number(w, "both", (double)s.both);
        json_end_object(w);
    }
    json_end_array(w);
}

/* ---- differences ------------------------------------------------------------------------------
 */

static void diff_json(struct cli *cli, const struct fact_change *changes, size_t n,
                      const struct facts *a, const struct facts *b)
{
    struct json_writer w = JSON_WRITER_INIT(&cli->out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.fingerprint-diff/1");
    json_begin_array(&w, "changes");
    for (size_t i = 0; i < n; i++) {
        json_begin_object_flat(&w, NULL);
        json_strings(&w, {"key", changes[i].key}, {"a", changes[i].a ? changes[i].a->value : NULL},
                     {"b", changes[i].b ? changes[i].b->value : NULL});
        json_end_object(&w);
    }
    json_end_array(&w);
    if (a->salt && b->salt && strcmp(a->salt, b->salt) == 0)
        identities_json(cli, &w, a, b);
    if (a->measured.n && b->measured.n)
        rates_json(&w, &a->measured, &b->measured);
    json_end_object(&w);
    json_finish(&w);
}

/* Facts that somebody changed after they were written are no machine's. */
static int check_digest(struct cli *cli, const char *path, const struct facts *f)
{
    const char *digest = f->sha256 ? facts_digest(f, &cli->arena) : NULL;
    if (!digest || strcmp(digest, f->sha256) == 0)
        return EXIT_AGREED;
    diags_add(&cli->diags, SEVERITY_ERROR, path, 0, 0,
              "the SHA-256 of the fingerprint's facts is %s, but the fingerprint states %s", digest,
              f->sha256);
    return cli_diags(cli);
}

static int diff(struct cli *cli)
{
    struct facts a, b;
    struct fact_change *changes;
    size_t n;
    if (cli->n_args != 2)
        return cli_usage(cli, "fingerprint --diff needs two run directories or files");
    int code = exit_worse(read_facts(cli, cli->args[0], &a), read_facts(cli, cli->args[1], &b));
    if (code)
        return code;
    code = exit_worse(check_digest(cli, cli->args[0], &a), check_digest(cli, cli->args[1], &b));
    if (code)
        return code;
    facts_diff(&a, &b, &cli->arena, &changes, &n);
    if (cli_wants_json(cli))
        diff_json(cli, changes, n, &a, &b);
    else {
        for (size_t i = 0; i < n; i++) {
            print_fact(cli, changes[i].key, "- ", changes[i].a);
            print_fact(cli, changes[i].key, "+ ", changes[i].b);
        }
        identities_text(cli, &a, &b);
        rates_text(cli, &a.measured, &b.measured);
    }
    code = cli_deliver(cli);
    return code ? code : n ? EXIT_CHECK : EXIT_AGREED;
}

/* ---- this machine --------------------------------------------------------------------------- */

static void print_facts(struct cli *cli, const struct facts *facts)
{
    const struct measured *m = &facts->measured;
    for (size_t i = 0; i < facts->n; i++)
        print_fact(cli, facts->items[i].key, "", &facts->items[i]);
    buf_printf(&cli->out, "\nSHA-256 of the known facts above, without case and data:\n  %s\n",
               facts_digest(facts, &cli->arena));
    if (facts->n_unstable)
        buf_printf(&cli->out, "\nNot in this SHA-256: states, and names (salt of hashes %s)\n",
                   facts->salt ? facts->salt : "none");
    for (size_t i = 0; i < facts->n_unstable; i++)
        print_fact(cli, facts->unstable[i].key, "", &facts->unstable[i]);
    if (m->n)
        buf_printf(&cli->out, "\nMeasured here: %s, %s\n", m->device, m->with);
    for (size_t i = 0; i < m->n; i++) {
        buf_printf(&cli->out, "%-36s ", measure_name(&m->items[i], &cli->arena));
        columns_wrap(&cli->out, 37, 37, measure_text(&m->items[i], &cli->arena));
    }
}

/* A precision that every machine has; others are opened by the probe. */
#define MEASURED_IN "fp32"

static int measure_for_fingerprint(struct cli *cli, const struct training *t, struct measured *out)
{
    const struct ranks alone = {.world = 1, .local_world = 1};
    const struct machine_wish wish = {.precision = precision_find(MEASURED_IN),
                                      .ordinal = t->ordinal};
    struct err err = ERR_INIT;
    struct machine m;
    if (machine_open(&m, t->machine, &alone, &wish, &err) < 0)
        return cli_fail(cli, &err);
    int rc = probe_machine(&m, NULL, &cli->arena, out, &err);
    machine_close(&m, NULL);
    return rc < 0 ? cli_fail(cli, &err) : EXIT_AGREED;
}

static int run_fingerprint(struct cli *cli)
{
    if (cli->opt.diff && (cli->opt.measure || cli->opt.device))
        return cli_usage(cli, "--measure and --device work only for this machine, not with --diff");
    if (cli->opt.diff)
        return diff(cli);
    if (cli->n_args)
        return cli_usage(cli, "found argument '%s', expected it only with --diff", cli->args[0]);
    if (cli->opt.device && !cli->opt.measure)
        return cli_usage(cli, "--device names the device to measure: expected --measure, too");
    struct facts facts;
    struct measured measured = {0};
    struct training t = {.record = {.precision = MEASURED_IN}};
    int code = cli->opt.measure ? training_machine(cli, &t) : EXIT_AGREED;
    if (code == 0 && cli->opt.measure)
        code = measure_for_fingerprint(cli, &t, &measured);
    if (code)
        return code;
    struct err no_blas = ERR_INIT;
    const struct fingerprint_options options = {.blas = device_cpu_blas(&no_blas),
                                                .no_blas = no_blas.text,
                                                .declared = declared_tools(cli)};
    fingerprint_collect(&options, &cli->arena, &facts);
    facts.measured = measured;
    if (cli_wants_json(cli))
        facts_write(&facts, &cli->out);
    else
        print_facts(cli, &facts);
    return cli_deliver(cli);
}

static const enum option_id options[] = {OPTION_DIFF, OPTION_MEASURE, OPTION_DEVICE, OPTION_FORMAT,
                                         OPTION_OUT,  OPTION_RECORDS, OPTION_END};

const struct command command_fingerprint = {
    .name = "fingerprint",
    .summary = "print facts about this machine, or compare two machines",
    .arguments = "[--diff A B]",
    .examples = "  fpreport fingerprint\n"
                "  fpreport fingerprint --format json -o fingerprint.json\n"
                "  fpreport fingerprint --measure\n"
                "  fpreport fingerprint --diff result/run20261120190000 other/fingerprint.json\n",
    .details = "\n"
               "If fpreport does not know a fact, fingerprint prints the reason. Serial numbers,\n"
               "addresses and names are printed only as salted hashes; the salt is in\n"
               "~/.config/fpreport/salt. fingerprint also runs the card tools that vendors\n"
               "describe in the records.\n"
               "With --diff, A and B are run directories or fingerprint.json files; fingerprint\n"
               "exits with 1 if their stable facts differ. --diff also shows measured rates and\n"
               "common names, which do not affect the exit code. --measure takes some seconds:\n"
               "fpreport times matrix products, memory and copies on one core or (fptrain) one\n"
               "GPU.\n",
    .options = options,
    .out_meaning = "write to this file instead of standard output",
    .max_arguments = 2,
    .run = run_fingerprint,
};
