/*
 * blas: OpenBLAS, for device_cpu.c alone.
 *
 *     struct blas blas;
 *     if (blas_open(&blas, err) < 0)                        // "libopenblas.so.0: …"
 *         return -1;
 *     blas.sgemm(CblasRowMajor, …);
 *
 * It is one of two files, which the Makefile chooses by name: blas_opened.c loads the library when
 * a device is opened, blas_linked.c is for programs that it is linked into (fptrain). Loading it is
 * not free for those who multiply nothing: it starts a thread that spins for 25 ms, and
 * libquadmath, which comes with it, makes every printf of the process take the C library's slow
 * way. It is never unloaded: its threads must not lose their code.
 */
#pragma once

#include "base/err.h"

#include <cblas.h>

struct blas {
    __typeof__(cblas_sgemm) *sgemm;
    __typeof__(openblas_set_num_threads) *set_threads;
    __typeof__(openblas_get_config) *config;
};

int blas_open(struct blas *out, struct err *err);
