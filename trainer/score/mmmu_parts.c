/* Replies added up: what MMMU's subjects belong to, and the shares of all of them. */
#include "trainer/score/mmmu_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* DOMAIN_CAT2SUB_CAT of MMMU's data_utils.py. */
static const struct discipline {
    const char *name, *subjects[8];
} disciplines[] = {
    {"Art and Design", {"Art", "Art_Theory", "Design", "Music"}},
    {"Business", {"Accounting", "Economics", "Finance", "Manage", "Marketing"}},
    {"Science", {"Biology", "Chemistry", "Geography", "Math", "Physics"}},
    {"Health and Medicine",
     {"Basic_Medical_Science", "Clinical_Medicine", "Diagnostics_and_Laboratory_Medicine",
      "Pharmacy", "Public_Health"}},
    {"Humanities and Social Science", {"History", "Literature", "Sociology", "Psychology"}},
    {"Tech and Engineering",
     {"Agriculture", "Architecture_and_Engineering", "Computer_Science", "Electronics",
      "Energy_and_Power", "Materials", "Mechanical_Engineering"}},
};
#define DISCIPLINES (sizeof disciplines / sizeof *disciplines)

static bool is_of(const struct discipline *d, const char *subject)
{
    for (size_t i = 0; i < 8 && d->subjects[i]; i++)
        if (strcmp(d->subjects[i], subject) == 0)
            return true;
    return false;
}

static void count_reply(struct mmmu_part *part, const struct mmmu_reply *r)
{
    part->n += r->asked;
    part->right += r->asked && r->right;
}

static void take_share(struct mmmu_part *part)
{
    part->share = part->n ? score_share_of(part->right, part->n) : (struct score_share){NAN, NAN};
}

static int compare_parts(const void *a, const void *b)
{
    return strcmp(((const struct mmmu_part *)a)->name, ((const struct mmmu_part *)b)->name);
}

static struct mmmu_part *part_of_subject(struct mmmu_score *s, const char *name)
{
    for (size_t i = 0; i < s->n_subjects; i++)
        if (strcmp(s->subjects[i].name, name) == 0)
            return &s->subjects[i];
    struct mmmu_part *part = ARENA_PUSH(&s->arena, s->subjects, s->n_subjects);
    *part = (struct mmmu_part){.name = name};
    return part;
}

void mmmu_score_add_up(struct mmmu_score *s, const struct mmmu *questions)
{
    for (size_t i = 0; i < questions->n; i++) {
        const struct mmmu_question *q = &questions->questions[i];
        const struct mmmu_reply *r = &s->replies[i];
        count_reply(part_of_subject(s, q->subject), r);
        count_reply(q->n_choices ? &s->chosen : &s->free, r);
        count_reply(&s->all, r);
        s->drawn += r->drawn;
        s->numbers_lost += r->numbers_lost;
        s->left_out += !r->asked;
        s->more_images += r->asked && q->has_more_images;
    }
    qsort(s->subjects, s->n_subjects, sizeof *s->subjects, compare_parts);
    for (size_t i = 0; i < s->n_subjects; i++)
        take_share(&s->subjects[i]);
    struct mmmu_part *const parts[] = {&s->chosen, &s->free, &s->all};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        take_share(parts[i]);
    for (size_t d = 0; d < DISCIPLINES; d++) {
        struct mmmu_part part = {.name = disciplines[d].name};
        for (size_t i = 0; i < s->n_subjects; i++)
            if (is_of(&disciplines[d], s->subjects[i].name)) {
                part.n += s->subjects[i].n;
                part.right += s->subjects[i].right;
            }
        take_share(&part);
        if (part.n)
            *(struct mmmu_part *)ARENA_PUSH(&s->arena, s->disciplines, s->n_disciplines) = part;
    }
}
