/*
 * event_file: TensorBoard's event files, as the lines of JSON that a logger of scalars would write.
 *
 * An event file is a sequence of records (TFRecord): the length in 8 bytes, little-endian, its
 * masked CRC-32C in 4, the bytes, their masked CRC-32C. The mask of a sum c is
 * ((c >> 15) | (c << 17)) + 0xa282ead8. The bytes are a protocol buffer `Event` (TensorFlow,
 * core/util/event.proto): wall_time 1, step 2, summary 5; a `Summary` has values 1; a value has
 * a tag 1 and simple_value 2, or a tensor 8 of one float or double (core/framework/tensor.proto:
 * dtype 1, tensor_content 4, float_val 5, double_val 6).
 *
 * Scalars of one step that follow each other are one line:
 *
 *   {"step": 20, "wall_time": 1700000000.5, "train/loss": 2.5, "train/grad_norm": 0.7}
 *
 * Tags "… vs samples" count samples in the place of steps; they are left out. What else a file
 * has (graphs, images, histograms) is passed over.
 *
 * Bytes are fed in pieces of any size, and the lines do not depend on how they were cut. Memory
 * is EVENT_RECORD_MAX and EVENT_LINE_MAX at most: of a longer record nothing is read, and its
 * checksum is not looked at. The first fault is kept; behind a length whose checksum is wrong
 * nothing can be read, behind another fault reading goes on with the next record.
 */
#pragma once

#include "base/arena.h"
#include "base/lines/span.h"

#include <stdint.h>

#define EVENT_HEAD 12 /* bytes by which an event file is known */
#define EVENT_RECORD_MAX ((size_t)1 << 20)
#define EVENT_LINE_MAX ((size_t)1 << 16)
#define EVENT_TAG_MAX 200

struct event_file {
    struct buf record; /* head, bytes and sum of the record that is being read */
    struct buf line;   /* of the step that is being collected */
    int64_t step;
    uint64_t length;   /* of the bytes of the record; known behind its head */
    uint64_t skip;     /* bytes of a longer record that are still to come */
    int n_records;     /* that were begun */
    bool stopped;      /* nothing more can be read */
    const char *fault; /* NULL: none so far */
    int fault_record;  /* from 1 */
    void (*take)(void *context, struct span line, int record);
    void *context;
};

/* Do these EVENT_HEAD bytes begin an event file? */
bool event_file_begins(const char *head);

void event_file_open(struct event_file *e,
                     void (*take)(void *context, struct span line, int record), void *context);
void event_file_feed(struct event_file *e, const char *bytes, size_t n);
void event_file_close(struct event_file *e); /* hands the last line over; `fault` stays */
