#include "trainer/device/blas.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#define LIBRARY "libopenblas.so.0"

/* POSIX's way from an object's address to a function's. */
static bool find_blas_function(void *library, const char *name, void *function)
{
    void *at = dlsym(library, name);
    memcpy(function, &at, sizeof at);
    return at != NULL;
}

int blas_open(struct blas *out, struct err *err)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    *out = (struct blas){0};
    if (!library)
        return err_set(err, ERR_IO, "%s", dlerror());
    if (find_blas_function(library, "cblas_sgemm", &out->sgemm) &&
        find_blas_function(library, "openblas_set_num_threads", &out->set_threads) &&
        find_blas_function(library, "openblas_get_config", &out->config))
        return 0;
    return err_set(err, ERR_IO, LIBRARY ": is no OpenBLAS: %s", dlerror());
}
