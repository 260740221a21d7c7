#include "renderer/sharing/cairo_library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define LIBRARY "libcairo.so.2"

static const struct {
    size_t at;
    const char *name;
} functions[] = {
#define FUNCTION(field, name)                       \
    {                                               \
        offsetof(struct cairo_library, field), name \
    }
    FUNCTION(surface, "cairo_image_surface_create"),
    FUNCTION(surface_done, "cairo_surface_destroy"),
    FUNCTION(surface_status, "cairo_surface_status"),
    FUNCTION(flush, "cairo_surface_flush"),
    FUNCTION(pixels, "cairo_image_surface_get_data"),
    FUNCTION(stride, "cairo_image_surface_get_stride"),
    FUNCTION(create, "cairo_create"),
    FUNCTION(done, "cairo_destroy"),
    FUNCTION(status, "cairo_status"),
    FUNCTION(colour, "cairo_set_source_rgb"),
    FUNCTION(rectangle, "cairo_rectangle"),
    FUNCTION(fill, "cairo_fill"),
    FUNCTION(face, "cairo_select_font_face"),
    FUNCTION(size, "cairo_set_font_size"),
    FUNCTION(move_to, "cairo_move_to"),
    FUNCTION(show_text, "cairo_show_text"),
    FUNCTION(extents, "cairo_text_extents"),
};

bool cairo_library_open(struct cairo_library *out)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library && i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(library, functions[i].name);
        if (!found)
            return false;
        memcpy((char *)out + functions[i].at, &found, sizeof found);
    }
    return library != NULL;
}
