/* Why a fact is not known, in both languages (base/sentence.h), and how the reader of a document
 * takes a reason for the row that it was written by. */
#include "base/records/facts.h"
#include "base/sentence.h"

#include <string.h>

/* clang-format off */
/* Those that have more words of their own come first. */
const struct words fact_reasons[] = {
    {.en = "no salt to hash this value: neither XDG_CONFIG_HOME nor HOME is set",
     .zh = "缺少盐值，无法计算加盐哈希：没有设置 XDG_CONFIG_HOME 和 HOME"},
    {.en = "the remote 'origin' is a local folder, so its path is not recorded",
     .zh = "git 远程仓库 origin 是本机的目录，因此不记录它的路径"},
    {.en = "/sys/bus/pci does not state the NUMA nodes of the cards",
     .zh = "从 /sys/bus/pci 读不到加速卡的 NUMA 节点"},
    {.en = "/sys/class/net contains no physical network adapter",
     .zh = "/sys/class/net 中没有物理网卡"},
    {.en = "the PCI addresses of the cards are unknown",
     .zh = "加速卡的 PCI 地址未知"},
    {.en = "this program is built without libarchive",
     .zh = "运行所用的程序构建时没有 libarchive"},
    {.en = "/sys/devices/system/cpu does not state this value",
     .zh = "从 /sys/devices/system/cpu 读不到这项 CPU 信息"},
    {.en = "this program is built without libgit2",
     .zh = "运行所用的程序构建时没有 libgit2"},
    {.en = "the repository has no remote 'origin'",
     .zh = "git 仓库没有名为 origin 的远程仓库"},
    {.en = "NVIDIA's driver is installed, but finds no card",
     .zh = "已安装 NVIDIA 的驱动，但驱动没有找到加速卡"},
    {.en = "the case states no SHA-256 of its data",
     .zh = "用例没有写明其数据的 SHA-256"},
    {.en = "no control groups in /sys/fs/cgroup",
     .zh = "/sys/fs/cgroup 中没有控制组"},
    {.en = "this program is built without zstd",
     .zh = "运行所用的程序构建时没有 zstd"},
    {.en = "no port in /sys/class/infiniband",
     .zh = "/sys/class/infiniband 中没有端口"},
    {.en = "the repository has no commit yet",
     .zh = "git 仓库还没有提交"},
    {.en = "/proc/meminfo does not state this value",
     .zh = "从 /proc/meminfo 读不到这项内存信息"},
    {.en = "/proc/uptime does not state this value",
     .zh = "从 /proc/uptime 读不到机器已运行的时间"},
    {.en = "libgit2 cannot be started",
     .zh = "libgit2 无法启动"},
    {.en = "fpreport did not witness the run",
     .zh = "fpreport 没有启动和监控这次运行"},
    {.en = "no accelerator was found",
     .zh = "没有找到加速卡"},
    {.en = "libarchive does not state its version",
     .zh = "libarchive 没有给出版本"},
    {.en = "the clock cannot be read",
     .zh = "无法读取时钟"},
    {.en = "fpreport's own BLAS is not used",
     .zh = "没有使用 fpreport 自带的 BLAS"},
    {.en = "NVML does not state this value",
     .zh = "NVML 没有给出这个值"},
    {.en = "not in a container",
     .zh = "不在容器中运行"},
    {.en = "no case was given",
     .zh = "采集指纹时没有给出用例"},
    {.en = "this fact was not collected",
     .zh = "没有采集这项环境信息"},
    {.en = "no card reports this value",
     .zh = "没有一张加速卡给出这项信息"},
    {.en = "uname fails",
     .zh = "uname 调用失败"},
    {.en = "no salt to hash this value: %s does not hold 64 hex digits",
     .zh = "缺少盐值，无法计算加盐哈希：{1} 不是 64 位十六进制数字"},
    {.en = "NVIDIA's driver does not answer (NVML error %d)",
     .zh = "NVIDIA 的驱动没有应答（NVML 错误 {1}）"},
    {.en = "%s does not state both package and core",
     .zh = "{1} 没有同时写明 CPU 插槽和核心"},
    {.en = "%s does not show a container its image",
     .zh = "{1} 不向容器提供镜像的名称"},
    {.en = "NVIDIA's driver cannot be loaded: %s",
     .zh = "无法加载 NVIDIA 驱动：{1}"},
    {.en = "%s: git repository cannot be read: %s",
     .zh = "无法读取 git 仓库 {1}：{2:said}"},
    {.en = "the output of %s has an unknown format",
     .zh = "无法识别 {1} 的输出格式"},
    {.en = "the value '%s' is a placeholder",
     .zh = "值“{1}”只是占位符"},
    {.en = "no NVIDIA driver: %s not found",
     .zh = "没有 NVIDIA 驱动：找不到 {1}"},
    {.en = "not in a git repository: %s",
     .zh = "目录 {1} 不在 git 仓库中"},
    {.en = "the NVIDIA library lacks %s",
     .zh = "NVIDIA 的库缺少 {1}"},
    {.en = "no salt to hash this value: %s",
     .zh = "缺少盐值，无法计算加盐哈希：{1:said}"},
    {.en = "%s: no answer within %d ms",
     .zh = "命令 {1} 在 {2} 毫秒内没有应答"},
    {.en = "%s: failed with status %d",
     .zh = "命令 {1} 失败，退出状态为 {2}"},
    {.en = "%s; no tool in PATH (%s)",
     .zh = "{1:said}；PATH 中没有任何工具（{2}）"},
    {.en = "%s lists no card",
     .zh = "{1} 没有列出任何加速卡"},
    {.en = "%s: cannot be run: %s",
     .zh = "无法运行命令 {1}：{2:said}"},
    {.en = "%s does not state this value",
     .zh = "{1} 没有给出这个值"},
    {.en = "cannot read %s: %s",
     .zh = "无法读取 {1}：{2:said}"},
    {.en = "%s is no number",
     .zh = "{1} 不是数字"},
    /* Of programs before: they stand in fingerprints that were sealed then. */
    {.en = "no salt to hash it with: neither XDG_CONFIG_HOME nor HOME says where it is",
     .zh = "缺少盐值，无法计算加盐哈希：没有设置 XDG_CONFIG_HOME 和 HOME"},
    {.en = "the remote 'origin' is a folder of this machine, which is not told",
     .zh = "git 远程仓库 origin 是本机的目录，因此不写出它的路径"},
    {.en = "/sys/bus/pci does not tell the NUMA nodes of the cards",
     .zh = "从 /sys/bus/pci 读不到加速卡的 NUMA 节点"},
    {.en = "no adapter with a device behind it in /sys/class/net",
     .zh = "/sys/class/net 中没有物理网卡"},
    {.en = "the places of the cards on PCI are not known",
     .zh = "加速卡的 PCI 地址未知"},
    {.en = "/sys/devices/system/cpu does not tell",
     .zh = "从 /sys/devices/system/cpu 读不到这项 CPU 信息"},
    {.en = "NVIDIA's driver is there, but no card",
     .zh = "已安装 NVIDIA 的驱动，但没有加速卡"},
    {.en = "the case names no SHA-256 of its data",
     .zh = "用例没有写明其数据的 SHA-256"},
    {.en = "/proc/meminfo does not tell",
     .zh = "从 /proc/meminfo 读不到这项内存信息"},
    {.en = "/proc/uptime does not tell",
     .zh = "从 /proc/uptime 读不到机器已运行的时间"},
    {.en = "libarchive does not tell",
     .zh = "libarchive 没有给出版本"},
    {.en = "no BLAS of ours is used",
     .zh = "没有使用 fpreport 自带的 BLAS"},
    {.en = "NVML does not tell",
     .zh = "NVML 没有写明这个值"},
    {.en = "not looked for",
     .zh = "没有查找这项环境信息"},
    {.en = "no card tells",
     .zh = "没有一张加速卡写明这项信息"},
    {.en = "no salt to hash it with: %s does not hold 64 hex digits",
     .zh = "缺少盐值，无法计算加盐哈希：{1} 不是 64 位十六进制数字"},
    {.en = "%s does not tell both package and core",
     .zh = "{1} 没有同时写明 CPU 插槽和核心"},
    {.en = "%s does not tell a container its image",
     .zh = "{1} 不向容器说明其镜像"},
    {.en = "%s says nothing that is known here",
     .zh = "无法识别 {1} 的输出"},
    {.en = "it says '%s', which names nothing",
     .zh = "值“{1}”没有实际含义"},
    {.en = "no salt to hash it with: %s",
     .zh = "缺少盐值，无法计算加盐哈希：{1:said}"},
    {.en = "%s knows of no card",
     .zh = "{1} 没有看到任何加速卡"},
    {.en = "%s does not tell",
     .zh = "{1} 没有写明这个值"},
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
