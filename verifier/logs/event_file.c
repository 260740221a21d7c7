#include "verifier/logs/event_file.h"

#include <inttypes.h>
#include <math.h>

#define LENGTH_BYTES 8
#define SUM_BYTES 4

/* --- checksums: CRC-32C (Castagnoli), reflected, four bits at a time --- */

static uint32_t crc_of(const char *bytes, size_t n)
{
    static const uint32_t nibbles[16] = {
        0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
        0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
        0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
    };
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc ^= (unsigned char)bytes[i];
        crc = (crc >> 4) ^ nibbles[crc & 15];
        crc = (crc >> 4) ^ nibbles[crc & 15];
    }
    return ~crc;
}

static uint64_t little_endian(const char *bytes, size_t n)
{
    uint64_t value = 0;
    while (n--)
        value = value << 8 | (unsigned char)bytes[n];
    return value;
}

/* The masked sum behind n bytes. */
static bool has_its_sum(const char *bytes, size_t n)
{
    uint32_t crc = crc_of(bytes, n);
    return little_endian(bytes + n, SUM_BYTES) == (uint32_t)((crc >> 15 | crc << 17) + 0xa282ead8U);
}

bool event_file_begins(const char *head)
{
    return has_its_sum(head, LENGTH_BYTES);
}

/* --- protocol buffers --- */

enum wire { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 5 };

/* A field: its number, and its value by its wire type. */
struct field {
    uint64_t number, value; /* of WIRE_VARINT, WIRE_64, WIRE_32 */
    enum wire wire;
    struct span bytes; /* of WIRE_BYTES */
};

static bool cut_varint(struct span *s, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; s->n && shift < 64; shift += 7) {
        unsigned char byte = (unsigned char)s->p[0];
        *s = span_from(*s, 1);
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool cut_fixed(struct span *s, size_t n, uint64_t *value)
{
    if (s->n < n)
        return false;
    *value = little_endian(s->p, n);
    *s = span_from(*s, n);
    return true;
}

/* The next field of a message; false at its end, and where it is none. */
static bool cut_field(struct span *s, struct field *f)
{
    uint64_t key;
    if (!s->n || !cut_varint(s, &key))
        return false;
    *f = (struct field){.number = key >> 3, .wire = (enum wire)(key & 7)};
    if (f->wire == WIRE_VARINT)
        return cut_varint(s, &f->value);
    if (f->wire == WIRE_64 || f->wire == WIRE_32)
        return cut_fixed(s, f->wire == WIRE_64 ? 8 : 4, &f->value);
    if (f->wire != WIRE_BYTES || !cut_varint(s, &f->value) || f->value > s->n)
        return false;
    f->bytes = (struct span){s->p, (size_t)f->value};
    *s = span_from(*s, (size_t)f->value);
    return true;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double float_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return (double)value;
}

/* One number of as many bytes; false where there are more. */
static bool number_of_bytes(struct span s, size_t n, double *value)
{
    if (s.n != n)
        return false;
    *value = n == 8 ? double_of(little_endian(s.p, 8)) : float_of(little_endian(s.p, 4));
    return true;
}

/* A tensor of one float or double. */
static bool read_event_tensor(struct span s, double *value)
{
    enum { FLOAT = 1, DOUBLE = 2 };
    struct field f;
    uint64_t type = 0;
    size_t found = 0;
    while (cut_field(&s, &f)) {
        size_t width = f.number == 5 || (f.number == 4 && type == FLOAT)    ? 4
                       : f.number == 6 || (f.number == 4 && type == DOUBLE) ? 8
                                                                            : 0;
        if (f.number == 1 && f.wire == WIRE_VARINT)
            type = f.value;
        if (width && f.wire == WIRE_BYTES)
            found += number_of_bytes(f.bytes, width, value) ? 1 : f.bytes.n > 0 ? 2 : 0;
        if (width == 4 && f.wire == WIRE_32) {
            *value = float_of(f.value);
            found++;
        }
        if (width == 8 && f.wire == WIRE_64) {
            *value = double_of(f.value);
            found++;
        }
    }
    return found == 1;
}

/* --- lines --- */

static void hand_over_line(struct event_file *e)
{
    if (e->line.len) {
        buf_char(&e->line, '}');
        e->take(e->context, (struct span){e->line.data, e->line.len}, e->n_records);
    }
    buf_clear(&e->line);
}

static void add_scalar(struct event_file *e, double wall_time, int64_t step, struct span tag,
                       double value)
{
    char quoted[EVENT_TAG_MAX + 5];
    if (!tag.n || tag.n > EVENT_TAG_MAX || span_find(tag, " vs samples") < tag.n)
        return;
    /* "tag": of JSON; bytes that JSON has no place for become '?'. */
    size_t n = 0;
    quoted[n++] = '"';
    for (size_t i = 0; i < tag.n; i++) {
        unsigned char c = (unsigned char)tag.p[i];
        quoted[n++] = c < ' ' || c == 0x7f || c == '"' || c == '\\' ? '?' : (char)c;
    }
    quoted[n++] = '"';
    quoted[n++] = ':';
    quoted[n] = '\0';
    bool again = e->line.len && memmem(e->line.data, e->line.len, quoted, n);
    if (step != e->step || again || e->line.len + n + 64 > EVENT_LINE_MAX)
        hand_over_line(e);
    e->step = step;
    if (!e->line.len) {
        buf_printf(&e->line, "{\"step\": %" PRId64, step);
        if (isfinite(wall_time) && wall_time > 0)
            buf_printf(&e->line, ", \"wall_time\": %.17g", wall_time);
    }
    if (isfinite(value))
        buf_printf(&e->line, ", %s %.9g", quoted, value);
    else
        buf_printf(&e->line, ", %s %s", quoted, isnan(value) ? "NaN" : "Infinity");
}

static void read_event_value(struct event_file *e, double wall_time, int64_t step, struct span s)
{
    struct field f;
    struct span tag = {NULL, 0};
    double value = NAN;
    bool scalar = false;
    while (cut_field(&s, &f)) {
        if (f.number == 1 && f.wire == WIRE_BYTES)
            tag = f.bytes;
        if (f.number == 2 && f.wire == WIRE_32) {
            value = float_of(f.value);
            scalar = true;
        }
        if (f.number == 8 && f.wire == WIRE_BYTES)
            scalar = read_event_tensor(f.bytes, &value);
    }
    if (scalar)
        add_scalar(e, wall_time, step, tag, value);
}

/* A summary may stand in front of the step of its event. */
static void read_event(struct event_file *e, struct span event)
{
    struct field f;
    struct span s = event, summary;
    double wall_time = NAN;
    int64_t step = 0;
    while (cut_field(&s, &f)) {
        if (f.number == 1 && f.wire == WIRE_64)
            wall_time = double_of(f.value);
        if (f.number == 2 && f.wire == WIRE_VARINT)
            step = (int64_t)f.value;
    }
    for (s = event; cut_field(&s, &f);) {
        if (f.number != 5 || f.wire != WIRE_BYTES)
            continue;
        struct field value;
        for (summary = f.bytes; cut_field(&summary, &value);)
            if (value.number == 1 && value.wire == WIRE_BYTES)
                read_event_value(e, wall_time, step, value.bytes);
    }
}

/* --- records --- */

static void note_event_fault(struct event_file *e, const char *fault)
{
    if (e->fault)
        return;
    e->fault = fault;
    e->fault_record = e->n_records;
}

/* All of a record is there. */
static void read_record(struct event_file *e)
{
    const char *bytes = e->record.data + EVENT_HEAD;
    if (has_its_sum(bytes, (size_t)e->length))
        read_event(e, (struct span){bytes, (size_t)e->length});
    else
        note_event_fault(e, "the checksum of the record is wrong; the record was skipped");
    buf_clear(&e->record);
}

void event_file_open(struct event_file *e,
                     void (*take)(void *context, struct span line, int record), void *context)
{
    *e = (struct event_file){.take = take, .context = context};
    buf_init(&e->record, EVENT_RECORD_MAX + EVENT_HEAD + SUM_BYTES);
    buf_init(&e->line, EVENT_LINE_MAX);
}

/* As much of the bytes as what is being read still lacks; returns how many. */
static size_t take_event_piece(struct event_file *e, const char *bytes, size_t n)
{
    size_t have = e->record.len;
    if (e->skip) {
        size_t skipped = e->skip < n ? (size_t)e->skip : n;
        e->skip -= skipped;
        return skipped;
    }
    size_t whole = have < EVENT_HEAD ? EVENT_HEAD : EVENT_HEAD + (size_t)e->length + SUM_BYTES;
    size_t taken = whole - have < n ? whole - have : n;
    buf_add(&e->record, bytes, taken);
    if (e->record.len < whole)
        return taken;
    if (have < EVENT_HEAD) {
        /* The head of a record is whole. */
        e->n_records++;
        e->length = little_endian(e->record.data, LENGTH_BYTES);
        if (!has_its_sum(e->record.data, LENGTH_BYTES)) {
            note_event_fault(
                e,
                "the checksum of the record's length is wrong; the rest of the file was not read");
            e->stopped = true;
        } else if (e->length > EVENT_RECORD_MAX) {
            e->skip = e->length > UINT64_MAX - SUM_BYTES ? UINT64_MAX : e->length + SUM_BYTES;
            buf_clear(&e->record);
        }
    } else
        read_record(e);
    return taken;
}

void event_file_feed(struct event_file *e, const char *bytes, size_t n)
{
    while (n && !e->stopped) {
        size_t taken = take_event_piece(e, bytes, n);
        bytes += taken;
        n -= taken;
    }
}

void event_file_close(struct event_file *e)
{
    bool whole = !e->record.len && !e->skip;
    if (!whole && !e->stopped) {
        e->n_records += e->record.len > 0 && e->record.len < EVENT_HEAD;
        note_event_fault(e, "the file ends inside this record");
    }
    hand_over_line(e);
    buf_release(&e->record);
    buf_release(&e->line);
}
