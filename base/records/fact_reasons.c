/* Why a fact is not known, in both languages (base/words.h), and how the reader of a document takes
 * a reason for the row that it was written by. */
#include "base/records/facts.h"
#include "base/words.h"

#include <string.h>

/* clang-format off */
/* Those that have more words of their own come first. */
const struct words fact_reasons[] = {
    {.en = "no salt to hash it with: neither XDG_CONFIG_HOME nor HOME says where it is",
     .zh = "缺少盐值，无法计算加盐哈希：XDG_CONFIG_HOME 与 HOME 都没有说明它在哪里"},
    {.en = "the remote 'origin' is a folder of this machine, which is not told",
     .zh = "远程仓库 origin 是本机的文件夹，不予写出"},
    {.en = "/sys/bus/pci does not tell the NUMA nodes of the cards",
     .zh = "/sys/bus/pci 没有写明加速卡的 NUMA 节点"},
    {.en = "no adapter with a device behind it in /sys/class/net",
     .zh = "/sys/class/net 中没有带设备的网卡"},
    {.en = "the places of the cards on PCI are not known",
     .zh = "不知道加速卡在 PCI 上的位置"},
    {.en = "this program is built without libarchive",
     .zh = "运行所用的程序构建时没有 libarchive"},
    {.en = "/sys/devices/system/cpu does not tell",
     .zh = "/sys/devices/system/cpu 没有写明"},
    {.en = "this program is built without libgit2",
     .zh = "运行所用的程序构建时没有 libgit2"},
    {.en = "the repository has no remote 'origin'",
     .zh = "仓库没有名为 origin 的远程仓库"},
    {.en = "NVIDIA's driver is there, but no card",
     .zh = "有 NVIDIA 的驱动，但没有卡"},
    {.en = "the case names no SHA-256 of its data",
     .zh = "用例没有写明其数据的 SHA-256"},
    {.en = "no control groups in /sys/fs/cgroup",
     .zh = "/sys/fs/cgroup 中没有控制组"},
    {.en = "this program is built without zstd",
     .zh = "运行所用的程序构建时没有 zstd"},
    {.en = "no port in /sys/class/infiniband",
     .zh = "/sys/class/infiniband 中没有端口"},
    {.en = "the repository has no commit yet",
     .zh = "仓库还没有提交"},
    {.en = "/proc/meminfo does not tell",
     .zh = "/proc/meminfo 没有给出"},
    {.en = "/proc/uptime does not tell",
     .zh = "/proc/uptime 没有给出"},
    {.en = "libgit2 cannot be started",
     .zh = "libgit2 无法启动"},
    {.en = "fpreport did not witness the run",
     .zh = "fpreport 没有见证这次运行"},
    {.en = "no accelerator was found",
     .zh = "没有找到加速卡"},
    {.en = "libarchive does not tell",
     .zh = "libarchive 没有给出"},
    {.en = "the clock cannot be read",
     .zh = "时钟没有给出"},
    {.en = "no BLAS of ours is used",
     .zh = "没有使用我们的 BLAS"},
    {.en = "NVML does not tell",
     .zh = "NVML 没有写明"},
    {.en = "not in a container",
     .zh = "不在容器中"},
    {.en = "no case was given",
     .zh = "没有给出用例"},
    {.en = "not looked for",
     .zh = "没有查找"},
    {.en = "no card tells",
     .zh = "没有卡写明"},
    {.en = "uname fails",
     .zh = "uname 失败"},
    {.en = "no salt to hash it with: %s does not hold 64 hex digits",
     .zh = "缺少盐值，无法计算加盐哈希：{1} 不是 64 位十六进制数字"},
    {.en = "NVIDIA's driver does not answer (NVML error %d)",
     .zh = "NVIDIA 的驱动没有应答（NVML 错误 {1}）"},
    {.en = "%s does not tell both package and core",
     .zh = "{1} 没有同时写明插槽和核心"},
    {.en = "%s does not tell a container its image",
     .zh = "{1} 不向容器说明其镜像"},
    {.en = "NVIDIA's driver cannot be loaded: %s",
     .zh = "无法加载 NVIDIA 驱动：{1}"},
    {.en = "%s: git repository cannot be read: %s",
     .zh = "{1}：git 仓库无法读取：{2:said}"},
    {.en = "%s says nothing that is known here",
     .zh = "{1} 的输出中没有这里认识的内容"},
    {.en = "it says '%s', which names nothing",
     .zh = "写的是“{1}”，不指明任何东西"},
    {.en = "no NVIDIA driver: %s not found",
     .zh = "没有 NVIDIA 驱动：找不到 {1}"},
    {.en = "not in a git repository: %s",
     .zh = "不在 git 仓库中：{1}"},
    {.en = "the NVIDIA library lacks %s",
     .zh = "NVIDIA 的库缺少 {1}"},
    {.en = "no salt to hash it with: %s",
     .zh = "缺少盐值，无法计算加盐哈希：{1:said}"},
    {.en = "%s: no answer within %d ms",
     .zh = "{1}：{2} 毫秒内没有应答"},
    {.en = "%s: failed with status %d",
     .zh = "{1}：以状态 {2} 失败"},
    {.en = "%s; no tool in PATH (%s)",
     .zh = "{1:said}；PATH 中没有任何工具（{2}）"},
    {.en = "%s knows of no card",
     .zh = "{1} 没有看到任何卡"},
    {.en = "%s: cannot be run: %s",
     .zh = "{1}：无法运行：{2:said}"},
    {.en = "%s does not tell",
     .zh = "{1} 没有写明"},
    {.en = "cannot read %s: %s",
     .zh = "无法读取 {1}：{2:said}"},
    {.en = "%s is no number",
     .zh = "{1} 不是数字"},
    {NULL, NULL},
};
/* clang-format on */

#define PLACE_BYTES 2 /* "%s", "%d" */

/* The text where the words up to the next place, or to the end, stand for the first time; NULL. The
 * last words end the text. */
static const char *find_words(const char *text, const char *words, size_t n, bool last)
{
    size_t len = strlen(text);
    if (last)
        return len >= n && memcmp(text + len - n, words, n) == 0 ? text + len - n : NULL;
    return memmem(text, len, words, n);
}

static bool fits_reason(const char *format, const char *text, struct sentence *out,
                        struct arena *arena)
{
    size_t n = strcspn(format, "%");
    if (strncmp(text, format, n) != 0)
        return false;
    text += n;
    for (format += n; *format;) {
        const char *words = format + PLACE_BYTES;
        size_t own = strcspn(words, "%");
        const char *next = find_words(text, words, own, !words[own]);
        if (!next || next == text)
            return false;
        *(struct sentence *)ARENA_PUSH(arena, out->values, out->n_values) =
            (struct sentence){.text = arena_strndup(arena, text, (size_t)(next - text))};
        text = next + own;
        format = words + own;
    }
    return !*text;
}

/* A reason may have another one in it. */
static bool read_reason(const char *text, int depth, struct sentence *out, struct arena *arena)
{
    for (const struct words *row = fact_reasons; row->en; row++) {
        *out = (struct sentence){.text = text, .format = row->en};
        if (!fits_reason(row->en, text, out, arena))
            continue;
        for (size_t i = 0; i < out->n_values; i++) {
            struct sentence inner;
            if (depth && read_reason(out->values[i].text, depth - 1, &inner, arena))
                out->values[i] = inner;
        }
        return true;
    }
    return false;
}

const struct sentence *fact_reason(const char *unknown, struct arena *arena)
{
    struct sentence *made = arena_alloc(arena, sizeof *made);
    return read_reason(unknown, SENTENCE_DEPTH_MAX, made, arena) ? made : NULL;
}
