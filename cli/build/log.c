#include "cli/build/log.h"

#include "base/files/beneath.h"
#include "base/text.h"
#include "renderer/publish/site.h"

/* The log as it was read: what came since is for the next build. */
int build_log_read(const struct build *b, struct arena *arena, struct bytes *out, struct err *err)
{
    const struct store *s = b->project.store;
    *out = (struct bytes){0};
    if (!s || !s->log.size)
        return 0;
    if (beneath_read(s->root, STORE_LOG_NAME, STORE_LOG_MAX, arena, out, err) < 0)
        return -1;
    if (out->len < s->log.size)
        return err_set(err, ERR_INPUT, "%s: its log became shorter; build again", s->root);
    out->len = s->log.size;
    return 0;
}

int build_log_emit(struct build *b, struct err *err)
{
    struct bytes log;
    if (build_log_read(b, &b->cli->arena, &log, err) < 0)
        return -1;
    return log.len ? b->emit(b->self, CHECKPOINT_SITE_LOG, log.data, log.len, err) : 0;
}

int build_log_check(struct build *b)
{
    struct cli *cli = b->cli;
    struct err err = ERR_INIT;
    struct bytes was, now;
    if (!b->od)
        return EXIT_AGREED;
    const char *path = path_join(&cli->arena, b->od->path, CHECKPOINT_SITE_LOG);
    int there = file_is_there(path, &err);
    if (there == 0)
        return EXIT_AGREED;
    if (there < 0 || file_read(path, STORE_LOG_MAX, &cli->arena, &was, &err) < 0 ||
        build_log_read(b, &cli->arena, &now, &err) < 0)
        return cli_fail(cli, &err);
    const char *lacks = publish_log_lacks(&cli->arena, b->od->shown, was, now);
    if (!lacks)
        return EXIT_AGREED;
    err_set(&err, ERR_INPUT,
            "not built: %s. Build from the archive that has these lines (--archive), or into "
            "another folder",
            lacks);
    return cli_fail(cli, &err);
}
