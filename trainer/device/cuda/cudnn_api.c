#include "trainer/device/cuda/cudnn_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void cudnn_last_word(const struct cudnn *c, char *text, size_t size)
{
    text[0] = '\0';
    c->last_text(text, size);
    text[size - 1] = '\0';
    for (char *p = text; *p; p++) {
        if ((unsigned char)*p < ' ')
            *p = ' ';
    }
    if (!text[0])
        snprintf(text, size, "no further word");
}

int cudnn_failed(const struct cudnn *c, cudnnStatus_t status, const char *what, struct err *err)
{
    char own[CUDNN_WORD];
    cudnn_last_word(c, own, sizeof own);
    return err_set(err, ERR_IO, "cuDNN %s: %s: %s", what, c->status_text(status), own);
}

static int find_cudnn_functions(struct cudnn *c, const char *library, struct err *err)
{
    const struct {
        const char *name;
        void *slot;
    } rows[] = {
#define CUDNN_ROW(member, name) {#name, &c->member},
        CUDNN_FUNCTIONS(CUDNN_ROW)
#undef CUDNN_ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *f = dlsym(c->library, rows[i].name);
        if (!f)
            return err_set(err, ERR_IO, "%s lacks %s: cuDNN %d.%d or later is expected", library,
                           rows[i].name, CUDNN_OLDEST / 10000, CUDNN_OLDEST / 100 % 100);
        memcpy(rows[i].slot, &f, sizeof f); /* POSIX: a function fits into a void pointer */
    }
    return 0;
}

static int load(struct cudnn *c, const char *library, struct err *err)
{
    *c = (struct cudnn){.library = dlopen(library, RTLD_NOW | RTLD_LOCAL)};
    if (!c->library)
        return err_set(err, ERR_IO, "no cuDNN: %s", dlerror());
    if (find_cudnn_functions(c, library, err) != 0)
        return -1;
    size_t version = c->version();
    if (version < CUDNN_OLDEST || version / 10000 != CUDNN_MAJOR)
        return err_set(err, ERR_IO, "%s is version %zu.%zu.%zu, expected %d.%d or a later 9",
                       library, version / 10000, version / 100 % 100, version % 100,
                       CUDNN_OLDEST / 10000, CUDNN_OLDEST / 100 % 100);
    return 0;
}

size_t cudnn_version(const char *library)
{
    struct cudnn c;
    struct err err = ERR_INIT;
    size_t version = load(&c, library, &err) == 0 ? c.version() : 0;
    cudnn_close(&c);
    return version;
}

/* Create the description of a device from one attribute. */
static int describe_device(struct cudnn *c, cudnnBackendAttributeName_t name,
                           cudnnBackendAttributeType_t type, int64_t n, const void *value,
                           struct err *err)
{
    cudnnStatus_t status = c->create(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, &c->device);
    if (status == CUDNN_STATUS_SUCCESS)
        status = c->set(c->device, name, type, n, value);
    if (status == CUDNN_STATUS_SUCCESS)
        status = c->finalize(c->device);
    return status == CUDNN_STATUS_SUCCESS
               ? 0
               : cudnn_failed(c, status, "description of the device", err);
}

static int start_cudnn(struct cudnn *c, cudaStream_t stream, struct err *err)
{
    cudnnStatus_t status = c->handle_create(&c->handle);
    if (status == CUDNN_STATUS_SUCCESS)
        status = c->handle_set_stream(c->handle, stream);
    if (status != CUDNN_STATUS_SUCCESS)
        return cudnn_failed(c, status, "handle", err);
    return describe_device(c, CUDNN_ATTR_DEVICEPROP_HANDLE, CUDNN_TYPE_HANDLE, 1, &c->handle, err);
}

int cudnn_open(struct cudnn *c, const char *library, cudaStream_t stream, struct err *err)
{
    if (load(c, library, err) == 0 && start_cudnn(c, stream, err) == 0)
        return 0;
    cudnn_close(c);
    return -1;
}

int cudnn_open_described(struct cudnn *c, const char *library, const char *json, struct err *err)
{
    if (load(c, library, err) == 0 &&
        describe_device(c, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
                        (int64_t)strlen(json), json, err) == 0)
        return 0;
    cudnn_close(c);
    return -1;
}

int cudnn_describe(const struct cudnn *c, char *json, size_t size, struct err *err)
{
    int64_t n = 0;
    cudnnStatus_t status = c->get(c->device, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION,
                                  CUDNN_TYPE_CHAR, (int64_t)size - 1, &n, json);
    if (status != CUDNN_STATUS_SUCCESS)
        return cudnn_failed(c, status, "description of the device", err);
    json[n < (int64_t)size ? n : (int64_t)size - 1] = '\0';
    return 0;
}

void cudnn_close(struct cudnn *c)
{
    if (c->device)
        c->destroy(c->device);
    if (c->handle)
        c->handle_destroy(c->handle);
    if (c->library)
        dlclose(c->library);
    *c = (struct cudnn){0};
}
