#include "verifier/checks/page/case_kinds.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define CLASSIFY "图像分类|imageclassification"
#define DETECT "目标检测|objectdetection"
#define LANGUAGE "语言|文本|language|text|llm|情感分析|summarization"

/* clang-format off */
static const struct case_kind kinds[] = {
    {"aquila2",         LANGUAGE, NULL, NULL},
    {"baichuan2",       LANGUAGE, NULL, NULL},
    {"bert",            LANGUAGE, "wiki", "acc"},
    {"berthf",          LANGUAGE, "wiki", "acc"},
    {"bigtransfer",     CLASSIFY, "imagenet", "acc"},
    {"chatglm3",        LANGUAGE, NULL, NULL},
    {"compgcn",         NULL, NULL, NULL},
    {"cpm",             LANGUAGE, "cpm", "acc"},
    {"detr",            DETECT, "coco", "map"},
    {"distilbert",      "classification|分类|language|语言", "sst", "acc"},
    {"dlrm",            "recommendation|推荐", "criteo", "auc"},
    {"efficientnet",    CLASSIFY, "imagenet", "acc"},
    {"fasterrcnn",      DETECT, "coco", "map"},
    {"glm",             LANGUAGE, "superglue|record", "acc"},
    {"gpt2",            LANGUAGE, NULL, NULL},
    {"gpt3",            LANGUAGE, NULL, NULL},
    {"llama1",          LANGUAGE, NULL, NULL},
    {"llama2",          LANGUAGE, NULL, NULL},
    {"llama3",          LANGUAGE, NULL, NULL},
    {"llava1.5",        NULL, NULL, NULL},
    {"longformer",      LANGUAGE, NULL, "acc"},
    {"maskrcnn",        DETECT, "coco", "map"},
    {"mixtral",         NULL, NULL, NULL},
    {"mobilenetv2",     CLASSIFY, "imagenet", "acc"},
    {"moflow",          NULL, "zinc", "nuv"},
    {"qwen1.5",         LANGUAGE, NULL, NULL},
    {"resnet50",        CLASSIFY, "imagenet", "acc"},
    {"retinanet",       DETECT, "coco", "map"},
    {"swintransformer", CLASSIFY, "imagenet", "acc"},
    {"t5",              LANGUAGE, NULL, NULL},
    {"t5small",         LANGUAGE, "cnn", "rouge"},
    {"tacotron2",       "speech|语音", "ljspeech", "val_loss"},
    {"transformer",     LANGUAGE "|翻译|translation", "wmt", "bleu"},
    {"transformerxl",   LANGUAGE, "wikitext", NULL},
    {"vit",             CLASSIFY, "imagenet", "acc"},
    {"waveglow",        "speech|语音", "ljspeech", "val_loss"},
    {"wav2vec2",        "speech|语音", "librispeech", "acc"},
    {"yolov5",          DETECT, "coco", "map"},
};
/* clang-format on */

const struct case_kind *case_kinds(size_t *n)
{
    *n = sizeof kinds / sizeof kinds[0];
    return kinds;
}

const struct case_kind *case_kind_find(const char *family)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].family, family) == 0)
            return &kinds[i];
    return NULL;
}

const struct case_kind *case_kind_of(const char *bare_name)
{
    const struct case_kind *best = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (text_starts(bare_name, kinds[i].family) &&
            (!best || strlen(kinds[i].family) > strlen(best->family)))
            best = &kinds[i];
    return best;
}

const char *case_kind_bare(const char *name, struct arena *arena)
{
    char *folded = text_fold(arena, name);
    size_t n = 0;
    for (const char *s = folded; *s; s++)
        if (isalnum((unsigned char)*s) || *s == '.')
            folded[n++] = *s;
    folded[n] = '\0';
    return folded;
}

bool case_kind_has(const char *list, const char *text)
{
    for (const char *s = list; s && *s; s += strspn(s, "|")) {
        size_t n = strcspn(s, "|");
        if (memmem(text, strlen(text), s, n))
            return true;
        s += n;
    }
    return false;
}
