/*
 * settings: the numbers and paths of a training by name, so that programs for developers can be
 * given other shapes as NAME=VALUE.
 */
#pragma once

#include "trainer/training/train.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum setting_type { INTEGER, REAL, BOOLEAN };

static const struct setting {
    const char *name;
    enum setting_type type;
    size_t offset;
} settings[] = {
#define SETTING(type, name)                          \
    {                                                \
#name, type, offsetof(struct training, name) \
    }
    SETTING(INTEGER, vocab),
    SETTING(INTEGER, layers),
    SETTING(INTEGER, heads),
    SETTING(INTEGER, kv_heads),
    SETTING(INTEGER, hidden),
    SETTING(INTEGER, ffn),
    SETTING(BOOLEAN, tied),
    SETTING(REAL, rope_theta),
    SETTING(REAL, norm_eps),
    SETTING(REAL, init_std),
    SETTING(INTEGER, sequence_length),
    SETTING(INTEGER, micro_batch),
    SETTING(INTEGER, gradient_accumulation),
    SETTING(INTEGER, steps),
    SETTING(INTEGER, zero),
    SETTING(INTEGER, warmup_steps),
    SETTING(REAL, lr),
    SETTING(REAL, min_lr),
    SETTING(REAL, weight_decay),
    SETTING(REAL, beta1),
    SETTING(REAL, beta2),
    SETTING(REAL, eps),
    SETTING(REAL, clip_norm),
    SETTING(INTEGER, checkpoint_every),
    SETTING(INTEGER, checkpoint_keep),
    SETTING(INTEGER, lora.r),
    SETTING(REAL, lora.alpha),
    SETTING(REAL, lora.dropout),
    SETTING(INTEGER, lora.targets),
};
#define SETTINGS (sizeof settings / sizeof *settings)

/* Texts: they stay where the command line has them; an empty one is none. */
static const struct text_setting {
    const char *name;
    size_t offset;
} text_settings[] = {
#define TEXT(name)                             \
    {                                          \
#name, offsetof(struct training, name) \
    }
    TEXT(precision), TEXT(initial_weights), TEXT(resume), TEXT(checkpoint_dir), TEXT(final_weights),
};
#define TEXT_SETTINGS (sizeof text_settings / sizeof *text_settings)

static inline double setting_get(const struct training *t, const struct setting *s)
{
    const char *at = (const char *)t + s->offset;
    return s->type == REAL      ? *(const double *)at
           : s->type == INTEGER ? *(const int *)at
                                : *(const bool *)at;
}

/* What follows "NAME=" in the argument; NULL when that is not how it begins. */
static inline const char *setting_value(const char *argument, const char *name)
{
    size_t n = strlen(name);
    return strncmp(argument, name, n) == 0 && argument[n] == '=' ? argument + n + 1 : NULL;
}

static inline int setting_replace(struct training *t, const char *argument)
{
    for (size_t i = 0; i < TEXT_SETTINGS; i++) {
        const char *text = setting_value(argument, text_settings[i].name);
        if (text) {
            *(const char **)((char *)t + text_settings[i].offset) = *text ? text : NULL;
            return 0;
        }
    }
    for (size_t i = 0; i < SETTINGS; i++) {
        const char *text = setting_value(argument, settings[i].name);
        char *at = (char *)t + settings[i].offset;
        if (!text)
            continue;
        double value = strtod(text, NULL);
        if (settings[i].type == REAL)
            *(double *)at = value;
        else if (settings[i].type == INTEGER)
            *(int *)at = (int)value;
        else
            *(bool *)at = value != 0;
        return 0;
    }
    fprintf(stderr, "no setting %s\n", argument);
    return -1;
}
