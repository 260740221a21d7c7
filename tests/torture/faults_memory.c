/* Allocations. */
#include "faults.h"

#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);

void *malloc(size_t size)
{
    return faults_fails(faults_due(FAULTS_MEMORY, "malloc", "")) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return faults_fails(faults_due(FAULTS_MEMORY, "calloc", "")) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return faults_fails(faults_due(FAULTS_MEMORY, "realloc", "")) ? NULL
                                                                  : __libc_realloc(old, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return faults_fails(faults_due(FAULTS_MEMORY, "aligned_alloc", ""))
               ? NULL
               : __libc_memalign(align, size);
}
