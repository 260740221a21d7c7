#include "trainer/fingerprint/env_files.h"

#include "base/files/file.h"
#include "trainer/cards/card_facts.h"
#include "trainer/cards/tool.h"

static const struct {
    const char *file;
    const char *argv[4];
} commands[] = {
    {"nvidia-smi.txt", {"nvidia-smi"}},
    {"nvidia-smi-q.txt", {"nvidia-smi", "-q"}},
    {"nvidia-smi-topo.txt", {"nvidia-smi", "topo", "-m"}},
    {"nvidia-smi-nvlink.txt", {"nvidia-smi", "nvlink", "-s"}},
    {"ixsmi.txt", {"ixsmi"}},
    {"mx-smi.txt", {"mx-smi"}},
    {"xpu-smi.txt", {"xpu-smi"}},
    {"xpu_smi.txt", {"xpu_smi"}},
    {"mthreads-gmi.txt", {"mthreads-gmi"}},
    {"mthreads-gmi-q.txt", {"mthreads-gmi", "-q"}},
    {"cnmon.txt", {"cnmon"}},
    {"npu-smi.txt", {"npu-smi", "info"}},
    {"hy-smi.txt", {"hy-smi"}},
    {"rocm-smi-a.txt", {"rocm-smi", "-a"}},
};

int env_files_write(const char *node, const struct salt *salt, struct arena *arena, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof commands / sizeof *commands; i++) {
        struct err fault = ERR_INIT;
        struct buf text;
        if (!tool_exists(commands[i].argv[0]))
            continue;
        const char *path = arena_printf(arena, "%s/env/%s", node, commands[i].file);
        buf_init(&text, 4 * TOOL_OUTPUT_MAX); /* a hash is longer than what it stands for */
        if (card_output(commands[i].argv, salt, &text, &fault) < 0)
            buf_printf(&text, "fpreport: %s\n", fault.text);
        rc = buf_check(&text, path, err);
        if (rc == 0)
            rc = file_write(path, text.data, text.len, err);
        buf_release(&text);
    }
    return rc;
}
