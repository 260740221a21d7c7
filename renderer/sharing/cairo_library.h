/*
 * cairo_library: the door to cairo, which draws pictures for sharing. It is opened when a
 * site is made and never closed: its fonts are the process's. Where it is not installed, there are
 * no such pictures, and pages name none.
 */
#pragma once

#include <stdbool.h>

struct cairo_surface;
struct cairo_context;

/* cairo's own functions under short names; see its manual. Colours are from 0 to 1, the format is
 * CAIRO_RGB24. */
#define CAIRO_RGB24 1
#define CAIRO_BOLD 1

struct cairo_extents {
    double x_bearing, y_bearing, width, height, x_advance, y_advance;
};

struct cairo_library {
    struct cairo_surface *(*surface)(int format, int width, int height);
    void (*surface_done)(struct cairo_surface *);
    int (*surface_status)(struct cairo_surface *);
    void (*flush)(struct cairo_surface *);
    unsigned char *(*pixels)(struct cairo_surface *);
    int (*stride)(struct cairo_surface *);
    struct cairo_context *(*create)(struct cairo_surface *);
    void (*done)(struct cairo_context *);
    int (*status)(struct cairo_context *);
    void (*colour)(struct cairo_context *, double red, double green, double blue);
    void (*rectangle)(struct cairo_context *, double x, double y, double width, double height);
    void (*fill)(struct cairo_context *);
    void (*face)(struct cairo_context *, const char *family, int slant, int weight);
    void (*size)(struct cairo_context *, double size);
    void (*move_to)(struct cairo_context *, double x, double y);
    void (*show_text)(struct cairo_context *, const char *text);
    void (*extents)(struct cairo_context *, const char *text, struct cairo_extents *);
};

/* false: it is not there, or lacks a function. */
bool cairo_library_open(struct cairo_library *out);
