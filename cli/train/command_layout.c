#include "cli/train/command_layout.h"

#include "base/files/file.h"
#include "trainer/ranks/plan.h"
#include "trainer/run/launchers.h"

static int read_size(const char *name, const char *text, struct layout_source *s,
                     enum layout_size size, struct err *err)
{
    int n = 0;
    if (cli_number(name, text, 1, LAYOUT_SIZE_MAX, &n, err) < 0)
        return -1;
    s->size[size] = n;
    return 0;
}

/* Parts that are not named are 1. */
static int read_command_plan(const char *text, struct layout_source *s, struct err *err)
{
    struct plan p;
    if (!text)
        return 0;
    if (plan_read(text, &p, err) < 0)
        return err_prefix(err, "--parallel");
    s->size[LAYOUT_TENSOR] = p.tensor ? p.tensor : 1;
    s->size[LAYOUT_PIPELINE] = p.pipeline ? p.pipeline : 1;
    s->size[LAYOUT_CONTEXT] = p.context ? p.context : 1;
    s->size[LAYOUT_CHUNKS] = p.chunks;
    s->size[LAYOUT_DATA] = p.data;
    return 0;
}

int command_layout_options(struct cli *cli, struct layout *out, struct err *err)
{
    const struct options *o = &cli->opt;
    struct layout_source ranks = {.name = "--ranks"}, nodes = {.name = "--nodes"},
                         cards = {.name = "--cards"}, plan = {.name = "--parallel"};
    if (read_size("ranks", o->ranks, &ranks, LAYOUT_RANKS, err) < 0 ||
        read_size("nodes", o->nodes, &nodes, LAYOUT_NODES, err) < 0 ||
        read_size("cards", o->cards, &cards, LAYOUT_CARDS, err) < 0 ||
        read_command_plan(o->parallel, &plan, err) < 0)
        return -1;
    layout_add(out, &ranks, &cli->arena);
    layout_add(out, &nodes, &cli->arena);
    layout_add(out, &cards, &cli->arena);
    layout_add(out, &plan, &cli->arena);
    struct layout_source all;
    size_t i = 0;
    struct arena own = ARENA_INIT;
    layout_resolve(out, 1, &all);
    const char *odd = layout_contradiction(out, &i, &own);
    if (odd)
        err_set(err, ERR_USAGE, "%s", odd);
    else if (all.size[LAYOUT_NODES] && cli->opt.nodes &&
             (all.size[LAYOUT_RANKS] % all.size[LAYOUT_NODES] ||
              all.size[LAYOUT_CARDS] % all.size[LAYOUT_NODES]))
        err_set(err, ERR_USAGE,
                "--nodes: found %lld machines for %lld ranks, expected a divisor of the ranks: "
                "--ranks and --cards are totals over all machines",
                all.size[LAYOUT_NODES], all.size[LAYOUT_RANKS]);
    arena_release(&own);
    return err->kind ? -1 : 0;
}

int command_layout_begin(struct cli *cli, struct layout *out, struct err *err)
{
    if (command_layout_options(cli, out, err) < 0)
        return -1;
    launchers_find((const char *const *)cli->rest, out, &cli->arena);
    return 0;
}

int command_card(struct cli *cli, const struct accelerator **out)
{
    const char *named = cli->opt.accelerator;
    const char *const roots[] = {cli_records(cli),
                                 path_join(&cli->arena, cli_datadir(cli), "records")};
    struct diags unsaid = DIAGS_INIT(&cli->arena); /* of cards that are not meant */
    *out = NULL;
    for (size_t i = 0; named && !*out && i < sizeof roots / sizeof *roots; i++) {
        struct project *project = arena_alloc(&cli->arena, sizeof *project);
        *project = (struct project){0};
        project_load_accelerators(roots[i], project, &cli->arena, &unsaid);
        *out = project_find_accelerator(project, named, NULL);
    }
    if (named && !*out)
        return cli_usage(cli, "--accelerator %s: found no such card in %s/accelerators", named,
                         roots[0]);
    return EXIT_AGREED;
}

void command_layout_say(const struct cli *cli, const struct layout *l)
{
    struct arena own = ARENA_INIT;
    size_t i = 0;
    for (const char *odd; (odd = layout_contradiction(l, &i, &own)) != NULL;)
        cli_warn(cli,
                 "%s; the first number was used; --ranks, --nodes and --parallel override all "
                 "of them",
                 odd);
    arena_release(&own);
}
