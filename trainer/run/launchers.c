#include "trainer/run/launchers.h"

#include "base/files/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX 4 /* spellings of one */

/* ---- the environment ------------------------------------------------------------------------ */

/* Names of variables; NULL: the launcher has none. Nodes are said, or follow from the ranks of one
 * of them. */
static const struct variables {
    const char *sign; /* only with this one */
    const char *ranks, *nodes, *of_node;
} variables[] = {
    {"CROSS_SIZE", "WORLD_SIZE", "CROSS_SIZE", "LOCAL_SIZE"},           /* deepspeed */
    {NULL, "WORLD_SIZE", "GROUP_WORLD_SIZE", "LOCAL_WORLD_SIZE"},       /* torchrun */
    {NULL, "OMPI_COMM_WORLD_SIZE", NULL, "OMPI_COMM_WORLD_LOCAL_SIZE"}, /* Open MPI */
    {NULL, "MV2_COMM_WORLD_SIZE", NULL, "MV2_COMM_WORLD_LOCAL_SIZE"},   /* MVAPICH */
    {NULL, "PMI_SIZE", NULL, "MPI_LOCALNRANKS"},                        /* MPICH, Intel MPI */
    {NULL, "SLURM_STEP_NUM_TASKS", "SLURM_STEP_NUM_NODES", NULL},       /* srun */
    {NULL, "SLURM_NTASKS", "SLURM_NNODES", NULL},                       /* sbatch, salloc */
    {NULL, "PADDLE_TRAINERS_NUM", "PADDLE_NNODES", "PADDLE_LOCAL_SIZE"},
};

/* The whole number that a text is; 0: it is none. */
static long long launcher_count(const char *text)
{
    char *end;
    long long n = text && *text >= '0' && *text <= '9' ? strtoll(text, &end, 10) : 0;
    return n >= 1 && n <= LAYOUT_SIZE_MAX && !*end ? n : 0;
}

static long long variable(const char *name)
{
    return name ? launcher_count(getenv(name)) : 0;
}

/* ---- the command ---------------------------------------------------------------------------- */

static const struct launcher {
    const char *name; /* of a word of the command, without its folder */
    const char *ranks[OPTIONS_MAX], *of_node[OPTIONS_MAX], *nodes[OPTIONS_MAX];
} launchers[] = {
    {"torchrun", {NULL}, {"--nproc-per-node", "--nproc_per_node"}, {"--nnodes"}},
    {"torch.distributed.run", {NULL}, {"--nproc-per-node", "--nproc_per_node"}, {"--nnodes"}},
    {"torch.distributed.launch", {NULL}, {"--nproc-per-node", "--nproc_per_node"}, {"--nnodes"}},
    {"paddle.distributed.launch", {NULL}, {"--nproc_per_node"}, {"--nnodes"}},
    {"deepspeed", {NULL}, {"--num_gpus", "--num_accelerators"}, {"--num_nodes"}},
    {"accelerate", {"--num_processes", "--num-processes"}, {NULL}, {"--num_machines"}},
    {"mpirun", {"-np", "-n", "--np", "--n"}, {"-ppn", "--ppn", "-npernode", "--npernode"}, {NULL}},
    {"mpiexec", {"-np", "-n", "--np", "--n"}, {"-ppn", "--ppn", "-npernode", "--npernode"}, {NULL}},
    {"mpiexec.hydra", {"-np", "-n"}, {"-ppn"}, {NULL}},
    {"srun", {"--ntasks", "-n"}, {"--ntasks-per-node"}, {"--nodes", "-N"}},
    {"horovodrun", {"-np", "--num-proc"}, {NULL}, {NULL}},
};

/* What the word (and the next one) gives this option: "--n=8", "--n 8", "-n8"; 0: it is another. */
static long long value_in(const char *word, const char *next, const char *option)
{
    size_t n = strlen(option);
    if (strncmp(word, option, n) != 0)
        return 0;
    if (!word[n])
        return launcher_count(next);
    return launcher_count(word[n] == '=' ? word + n + 1 : option[1] != '-' ? word + n : NULL);
}

static long long option_of(const char *const *words, const char *const options[OPTIONS_MAX])
{
    for (; *words && strcmp(*words, "--") != 0; words++)
        for (size_t i = 0; i < OPTIONS_MAX && options[i]; i++) {
            long long value = value_in(words[0], words[1], options[i]);
            if (value)
                return value;
        }
    return 0;
}

/* Behind a launcher stand its options, then a script, whose options are others. */
static const char *const *own_words(const char *const *words, struct arena *arena)
{
    size_t n = 0;
    while (words[n] && !strstr(words[n], ".py"))
        n++;
    const char **own = arena_array(arena, n + 1, sizeof *own);
    memcpy(own, words, n * sizeof *own);
    return own;
}

/* Of several the last, which starts the ranks: srun starts torchrun on each machine. */
static void by_command(const char *const *command, struct layout *out, struct arena *arena)
{
    const struct launcher *l = NULL;
    const char *const *behind = NULL;
    for (; *command; command++) {
        const struct launcher *found = text_find(launchers, sizeof launchers / sizeof *launchers,
                                                 sizeof *launchers, path_base(*command));
        l = found ? found : l;
        behind = found ? command + 1 : behind;
    }
    if (!l)
        return;
    const char *const *words = own_words(behind, arena);
    long long ranks = option_of(words, l->ranks), of_node = option_of(words, l->of_node);
    long long nodes = option_of(words, l->nodes);
    if (!ranks && (nodes || !l->ranks[0])) /* without a word about machines there is one */
        ranks = of_node * (nodes ? nodes : 1);
    if (!nodes && ranks && of_node && ranks % of_node == 0)
        nodes = ranks / of_node;
    layout_add(out,
               &(struct layout_source){
                   l->name, {[LAYOUT_RANKS] = ranks, [LAYOUT_NODES] = ranks ? nodes : 0}},
               arena);
}

void launchers_find(const char *const *command, struct layout *out, struct arena *arena)
{
    by_command(command, out, arena);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const struct variables *v = &variables[i];
        long long ranks = variable(v->ranks), nodes = variable(v->nodes);
        long long of_node = variable(v->of_node);
        if (ranks < 2 || (v->sign && !getenv(v->sign)) ||
            text_find(out->items, out->n, sizeof *out->items, v->ranks))
            continue;
        if (!nodes && of_node && ranks % of_node == 0)
            nodes = ranks / of_node;
        layout_add(
            out,
            &(struct layout_source){v->ranks, {[LAYOUT_RANKS] = ranks, [LAYOUT_NODES] = nodes}},
            arena);
    }
}
