/* The log of an archive, and a checkpoint of one: an entry that is read is written again as its own
 * line. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include "base/records/challenge.h"
#include "base/store/checkpoint.h"
#include "base/store/store_log.h"

#include <stdlib.h>
#include <string.h>

/* A log without faults is what its entries are written as. */
static void check_lines(const struct store_log *log, const uint8_t *data, size_t size)
{
    struct buf lines;
    buf_init(&lines, BUF_DEFAULT_MAX);
    for (size_t i = 0; i < log->n; i++)
        store_entry_line(&log->entries[i], &lines);
    if (lines.len != size || memcmp(lines.data, data, size) != 0)
        abort();
    buf_release(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct store_log log;
    struct store_index index;
    struct checkpoint checkpoint;
    struct challenge challenge;
    struct bytes text;
    char path[FUZZ_PATH_SIZE];
    int fd = fuzz_file(data, size, path);
    if (fd < 0)
        return 0;
    diags_init(&diags, &arena);
    if (store_log_read_file(path, &arena, &log, &diags) == 0) {
        check_lines(&log, data, size);
        store_index_make(&log, &arena, &index);
    }
    if (checkpoint_read(path, &arena, &checkpoint, &text, &diags) == 0)
        checkpoint_problem(&checkpoint, &log, &arena);
    text = (struct bytes){arena_strndup(&arena, (const char *)data, size), size};
    if (challenge_read("challenge.json", text, &arena, &challenge, &diags) == 0 &&
        challenge.seed != challenge_seed(&challenge))
        abort();
    close(fd);
    arena_release(&arena);
    return 0;
}
