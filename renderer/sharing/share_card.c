#include "renderer/sharing/share_card.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"

#include <png.h>
#include <stdint.h>
#include <string.h>

/* The door to libpng for pictures that are written. Flat colours and letters need none
 * of its filters: without them a picture takes a quarter of the processor that cairo's own PNG
 * takes, and as many bytes. */

/* Pixels as cairo has them in CAIRO_RGB24: 0x00RRGGBB, in rows `stride` bytes apart. */
struct share_pixels {
    const unsigned char *rows;
    size_t stride;
    uint32_t width, height;
};

static unsigned char *to_rgb(const struct share_pixels *pixels, struct arena *arena)
{
    unsigned char *rgb = arena_array(arena, (size_t)pixels->width * pixels->height, 3), *to = rgb;
    for (uint32_t y = 0; y < pixels->height; y++)
        for (uint32_t x = 0; x < pixels->width; x++, to += 3) {
            uint32_t pixel;
            memcpy(&pixel, pixels->rows + y * pixels->stride + x * sizeof pixel, sizeof pixel);
            to[0] = (unsigned char)(pixel >> 16);
            to[1] = (unsigned char)(pixel >> 8);
            to[2] = (unsigned char)pixel;
        }
    return rgb;
}

/* Appends a PNG; the arena holds it meanwhile. */
static int share_png_write(const struct share_pixels *pixels, struct arena *arena, struct buf *out,
                           struct err *err)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = pixels->width,
                       .height = pixels->height,
                       .format = PNG_FORMAT_RGB,
                       .flags = PNG_IMAGE_FLAG_FAST};
    png_alloc_size_t n = PNG_IMAGE_PNG_SIZE_MAX(image);
    char *bytes = arena_alloc(arena, n);
    if (!png_image_write_to_memory(&image, bytes, &n, 0, to_rgb(pixels, arena), 0, NULL))
        return err_set(err, ERR_IO, "libpng could not write a picture: %s", image.message);
    buf_add(out, bytes, n);
    return 0;
}

#define LEFT 72.0
#define ROOM (SHARE_CARD_WIDTH - 2 * LEFT)
#define SAID_LINES 3
#define TEXT_BYTES_MAX 300

/* A card that is being drawn. */
struct easel {
    const struct cairo_library *lib;
    struct cairo_context *c;
    struct arena arena;
};

struct ink {
    double red, green, blue;
};

static const struct ink ground = {.988, .988, .98}, dark = {.11, .122, .137},
                        soft = {.337, .365, .4};

static const struct ink states[] = {
    [STATE_VERIFIED] = {.09, .396, .184},    [STATE_PARTIAL] = {.478, .302, 0},
    [STATE_UNVERIFIED] = {.302, .329, .361}, [STATE_FAILED] = {.651, .106, .106},
    [STATE_WITHDRAWN] = {.416, .353, .471},
};

/* Printable ASCII, and the few signs that our own words have. */
static const char *latin(struct arena *arena, const char *text)
{
    static const char *const signs[] = {"·", "×", "–", "é", "ü"};
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    while (*text && out.len < TEXT_BYTES_MAX) {
        size_t n = 1, sign = 0;
        while (sign < sizeof signs / sizeof *signs && !text_starts(text, signs[sign]))
            sign++;
        if (sign < sizeof signs / sizeof *signs)
            n = strlen(signs[sign]);
        if (n > 1 || (*text >= ' ' && *text < 0x7f))
            buf_printf(&out, "%.*s", (int)n, text);
        text += n;
    }
    return buf_text(&out, arena);
}

static double card_text_width(const struct easel *e, const char *text)
{
    struct cairo_extents extents;
    e->lib->extents(e->c, text, &extents);
    return extents.x_advance;
}

/* As many words of `text` as fit, at least one; what is left. */
static const char *take_line(struct easel *e, const char *text, const char **line)
{
    size_t end = strcspn(text, " ");
    for (size_t next = end; text[next]; end = next) {
        next += 1 + strcspn(text + next + 1, " ");
        if (card_text_width(e, arena_strndup(&e->arena, text, next)) > ROOM)
            break;
    }
    *line = arena_strndup(&e->arena, text, end);
    return text + end + strspn(text + end, " ");
}

static void put_card_text(struct easel *e, double x, double y, const char *text, struct ink ink)
{
    e->lib->colour(e->c, ink.red, ink.green, ink.blue);
    e->lib->move_to(e->c, x, y);
    e->lib->show_text(e->c, text);
}

static void set_letters(struct easel *e, double size, bool bold)
{
    e->lib->face(e->c, "sans-serif", 0, bold ? CAIRO_BOLD : 0);
    e->lib->size(e->c, size);
}

/* Lines from y on, smaller where one word is wider than the card; where the next begins. */
static double put_card_lines(struct easel *e, double y, double size, bool bold, size_t most,
                             const char *text)
{
    const char *rest = latin(&e->arena, text), *line;
    for (size_t i = 0; *rest && i < most; i++, y += size * 1.3) {
        set_letters(e, size, bold);
        rest = take_line(e, rest, &line);
        double wide = card_text_width(e, line);
        if (wide > ROOM)
            set_letters(e, size * ROOM / wide, bold);
        put_card_text(e, LEFT, y, line, dark);
    }
    return y;
}

static void draw_card(struct easel *e, const struct share_card *card)
{
    struct ink edge = card->state ? states[card->of] : soft;
    e->lib->colour(e->c, ground.red, ground.green, ground.blue);
    e->lib->rectangle(e->c, 0, 0, SHARE_CARD_WIDTH, SHARE_CARD_HEIGHT);
    e->lib->fill(e->c);
    e->lib->colour(e->c, edge.red, edge.green, edge.blue);
    e->lib->rectangle(e->c, 0, 0, 24, SHARE_CARD_HEIGHT);
    e->lib->fill(e->c);
    set_letters(e, 28, false);
    put_card_text(e, LEFT, 92, latin(&e->arena, card->kind), soft);
    double y = put_card_lines(e, 176, 68, true, 3, card->name);
    y = put_card_lines(e, y + 20, 44, false, SAID_LINES, card->said);
    set_letters(e, 34, true);
    if (card->state)
        put_card_text(e, LEFT, y + 16, latin(&e->arena, card->state), edge);
    set_letters(e, 28, false);
    put_card_text(e, LEFT, 560, latin(&e->arena, card->more), soft);
    put_card_text(e, LEFT, 600, latin(&e->arena, card->site), soft);
}

static int write_surface(struct easel *e, struct cairo_surface *surface, struct buf *out,
                         struct err *err)
{
    e->lib->flush(surface);
    struct share_pixels pixels = {.rows = e->lib->pixels(surface),
                                  .stride = (size_t)e->lib->stride(surface),
                                  .width = SHARE_CARD_WIDTH,
                                  .height = SHARE_CARD_HEIGHT};
    return share_png_write(&pixels, &e->arena, out, err);
}

int share_card_write(const struct cairo_library *cairo, const struct share_card *card,
                     struct buf *out, struct err *err)
{
    struct cairo_surface *surface =
        cairo->surface(CAIRO_RGB24, SHARE_CARD_WIDTH, SHARE_CARD_HEIGHT);
    struct easel e = {.lib = cairo, .c = cairo->create(surface), .arena = ARENA_INIT};
    draw_card(&e, card);
    int status = cairo->status(e.c), written = -1;
    cairo->done(e.c);
    if (status == 0)
        written = write_surface(&e, surface, out, err);
    else
        err_set(err, ERR_IO, "cairo could not draw the picture of '%s' (%d)", card->name, status);
    cairo->surface_done(surface);
    arena_release(&e.arena);
    return written;
}
