/* facts: what is written of a fingerprint, its digest and hashed names, read back and compared. */
#include "tests/unit/server.h"
#include "verifier/runs/sys_info.h"

/* What the digest is of, by another way: sorted by a shell. */
static void the_digest_is_sha256sums(void **state)
{
    struct machine *m = *state;
    struct facts a, b;
    build_server(m);
    a = collect(m, machine_nvml(m, 0, 2));
    machine_file(m, "f.json", written(m, &a));
    const char *command = arena_printf(
        &m->arena,
        "cd %s && test \"$(jq -r .sha256 f.json)\" = \"$(jq -r '.facts[] | select(.value and "
        "(.key | endswith(\"_sha256\") | not)) | \"\\(.key)=\\(.value)\"' f.json | LC_ALL=C sort "
        "| sha256sum | cut -c1-64)\"",
        m->root);
    assert_int_equal(system(command), 0);

    machine_file(m, "proc/uptime", "99999.0 1\n");
    machine_file(m, "sys/class/net/ens1/address", "10:70:fd:00:00:03\n");
    b = collect(m, machine_nvml(m, 0, 2));
    assert_string_equal(facts_digest(&a, &m->arena), facts_digest(&b, &m->arena));
    machine_file(m, "proc/sys/kernel/osrelease", "5.4.0-114-generic\n");
    b = collect(m, machine_nvml(m, 0, 2));
    assert_string_not_equal(facts_digest(&a, &m->arena), facts_digest(&b, &m->arena));
    const struct facts none = {0};
    assert_string_equal(facts_digest(&none, &m->arena),
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void names_are_hashed(void **state)
{
    static const char *const plain[] = {
        "10:70:fd", "219801A2B3C4", "0123456789abcdef", "1070:fd03", "156022100000", "5e1f0b1c",
    };
    struct machine *m = *state;
    struct facts_shared s;
    build_server(m);
    struct facts a = collect(m, machine_nvml(m, 0, 2));
    const char *text = written(m, &a);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        assert_null(strstr(text, plain[i]));
    assert_int_equal(strlen(facts_value(&a, FACT_MACHINE_SERIAL)), SALT_HASH_LEN);
    assert_int_equal(strlen(facts_value(&a, FACT_NETWORK_ADDRESS)), 2 * SALT_HASH_LEN + 2);
    assert_int_equal(strlen(facts_value(&a, FACT_ACCELERATOR_SERIAL)), 2 * SALT_HASH_LEN + 2);
    struct facts one = collect(m, machine_nvml(m, 0, 1));
    assert_true(facts_share(&a, &one, FACT_ACCELERATOR_SERIAL, &m->arena, &s));
    assert_true(s.a == 2 && s.b == 1 && s.both == 1);
    assert_string_equal(facts_value(&one, FACT_ACCELERATOR_TOPOLOGY), "one card");
    machine_file(m, "sys/class/net/ens1/address", "10:70:fd:00:00:03\n");
    machine_file(m, "sys/class/dmi/id/product_serial", "To be filled by O.E.M.\n");
    struct facts b = collect(m, NULL);
    assert_true(facts_share(&a, &b, FACT_NETWORK_ADDRESS, &m->arena, &s));
    assert_true(s.a == 2 && s.b == 2 && s.both == 1);
    assert_false(facts_share(&a, &b, FACT_MACHINE_SERIAL, &m->arena, &s));
    assert_string_equal(reason(&b, FACT_MACHINE_SERIAL),
                        "the value 'To be filled by O.E.M.' is a placeholder");
    b.salt = "another";
    assert_false(facts_share(&a, &b, FACT_NETWORK_ADDRESS, &m->arena, &s));
    b.salt = NULL;
    assert_false(facts_share(&a, &b, FACT_NETWORK_ADDRESS, &m->arena, &s));
}

static int read_text(struct machine *m, const char *text, struct facts *out, struct diags *diags)
{
    diags_init(diags, &m->arena);
    return facts_read("f.json", (struct bytes){text, strlen(text)}, &m->arena, out, diags);
}

static void facts_read_back(void **state)
{
    struct machine *m = *state;
    struct facts again;
    struct diags diags;
    struct fact_change *changes;
    size_t n;
    build_server(m);
    machine_file(m, "etc/os-release", "PRETTY_NAME=\"a \\ b \x01 \xff \xe6\x98\xbe\"\n");
    struct facts facts = collect(m, NULL), second = collect(m, NULL);
    const char *text = written(m, &facts);
    assert_string_equal(facts_digest(&facts, &m->arena), facts_digest(&second, &m->arena));
    assert_int_equal(read_text(m, text, &again, &diags), 0);
    assert_string_equal(written(m, &again), text);
    assert_string_equal(again.sha256, facts_digest(&facts, &m->arena));
    assert_string_equal(again.salt, facts.salt);
    assert_int_equal(again.n_unstable, facts.n_unstable);
    facts_diff(&again, &facts, &m->arena, &changes, &n);
    assert_int_equal(n, 0);
    assert_string_equal(facts_value(&again, FACT_OS), "a \\ b \ufffd \ufffd \u663e");
}

/* As they were written before there were digests. */
static void old_fingerprints_are_read(void **state)
{
    struct machine *m = *state;
    struct facts old;
    struct diags diags;
    assert_int_equal(read_text(m,
                               "{\"schema\": \"fpreport.fingerprint/1\", \"facts\": [{\"key\": "
                               "\"os\", \"value\": \"Debian\"}, {\"key\": \"case_sha256\", "
                               "\"value\": \"12\"}]}",
                               &old, &diags),
                     0);
    assert_null(old.sha256);
    assert_null(old.salt);
    assert_int_equal(old.n_unstable, 0);
    /* printf 'os=Debian\n' | sha256sum */
    assert_string_equal(facts_digest(&old, &m->arena),
                        "4f93c6c371969146202a8ffe066250f20ab8338e0bbbdb28bb5f31ecc683bcd7");
}

static void differences_are_named(void **state)
{
    struct machine *m = *state;
    struct fact one[] = {
        {"os", "a", NULL}, {"kernel", "1", NULL}, {"x", NULL, "r"}, {"y", "1", NULL}};
    struct fact two[] = {
        {"os", "b", NULL}, {"kernel", "1", NULL}, {"x", NULL, "s"}, {"z", "1", NULL}};
    struct facts a = {.items = one, .n = 4}, b = {.items = two, .n = 4};
    struct fact_change *changes;
    size_t n;
    facts_diff(&a, &b, &m->arena, &changes, &n);
    assert_int_equal(n, 3);
    assert_string_equal(changes[0].key, "os");
    assert_string_equal(changes[0].b->value, "b");
    assert_string_equal(changes[1].key, "y");
    assert_null(changes[1].b);
    assert_string_equal(changes[2].key, "z");
    assert_null(changes[2].a);
    facts_diff(&a, &a, &m->arena, &changes, &n);
    assert_int_equal(n, 0);
}

#define DOCUMENT(facts) "{\"schema\": \"fpreport.fingerprint/1\", \"facts\": " facts "}"

static void broken_fingerprints_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", ""},
        {"[]", "schema"},
        {"{\"schema\": \"fpreport.fingerprint/2\", \"facts\": []}", "schema"},
        {"{\"schema\": \"fpreport.fingerprint/1\"}", "'facts' to be an array"},
        {DOCUMENT("{}"), "'facts' to be an array"},
        {DOCUMENT("[1]"), "expected an object"},
        {DOCUMENT("[{\"key\": \"os\"}]"), "'value' or 'unknown'"},
        {DOCUMENT("[{\"key\": \"os\", \"value\": 1}]"), "'value' or 'unknown'"},
        {DOCUMENT("[{\"key\": \"os\", \"value\": \"a\", \"unknown\": \"b\"}]"), "'value' or"},
        {DOCUMENT("[{\"key\": \"<b>\", \"value\": \"a\"}]"), "lower-case letters"},
        {DOCUMENT("[{\"key\": \"a\", \"value\": \"a\"}, {\"key\": \"a\", \"value\": \"b\"}]"),
         "appears twice"},
        {DOCUMENT("[{\"key\": \"a\", \"value\": \"x\\nb=y\"}]"), "on one line"},
        {DOCUMENT("[], \"sha256\": 1"), "expected 'sha256' to be a string"},
        {DOCUMENT("[], \"salt\": \"a\\u001bb\""), "expected 'salt' to be a string on one line"},
        {DOCUMENT("[], \"unstable\": {}"), "'unstable' to be an array"},
        {DOCUMENT("[{\"key\": \"a\", \"value\": \"a\"}], \"unstable\": [{\"key\": \"a\", "
                  "\"value\": \"b\"}]"),
         "appears twice"},
    };
    struct machine *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct facts facts;
        struct diags diags;
        assert_int_equal(read_text(m, rows[i].text, &facts, &diags), -1);
        assert_true(diags.n == 1);
        if (!strstr(diags.items[0].message, rows[i].message))
            fail_msg("row %zu: %s", i, diags.items[0].message);
    }
}

/* Rules compare what two texts name, each with each. */
static void a_fact_is_no_document(void **state)
{
    struct machine *m = *state;
    char *room = arena_alloc(&m->arena, FACT_TEXT_MAX + 2);
    for (size_t n = FACT_TEXT_MAX; n <= FACT_TEXT_MAX + 1; n++) {
        struct facts facts;
        struct diags diags;
        bool fits = n == FACT_TEXT_MAX;
        memset(room, 'x', n);
        const char *text =
            arena_printf(&m->arena, DOCUMENT("[{\"key\": \"os\", \"value\": \"%s\"}]"), room);
        assert_int_equal(read_text(m, text, &facts, &diags), fits ? 0 : -1);
        if (!fits)
            assert_string_equal(diags.items[0].message, "the fact 'os' is longer than 12003 bytes");
        memset(&facts, 0, sizeof facts);
        text = arena_printf(&m->arena, "OS version:\n%s\n", room);
        sys_info_read((struct bytes){text, strlen(text)}, &m->arena, &facts);
        assert_int_equal(facts.n, fits ? 1 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_MACHINE(the_digest_is_sha256sums), ON_MACHINE(names_are_hashed),
        ON_MACHINE(facts_read_back),          ON_MACHINE(old_fingerprints_are_read),
        ON_MACHINE(differences_are_named),    ON_MACHINE(broken_fingerprints_are_refused),
        ON_MACHINE(a_fact_is_no_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
