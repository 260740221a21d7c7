#include "cli/train/disk_room.h"

#include <sys/statvfs.h>

void disk_room_look(struct cli *cli, const struct native_files *files, size_t parameters)
{
    struct statvfs disk;
    double one = 12.0 * (double)parameters, gib = 1 << 30;
    if (!files->checkpoint_dir || statvfs(files->checkpoint_dir, &disk) < 0)
        return;
    double all = one * (files->checkpoint_keep + 1),
           left = (double)disk.f_bavail * (double)disk.f_frsize;
    if (left < all)
        cli_warn(
            cli,
            "%s: %.3g GiB are free, %d checkpoints that stay and one that is written take %.3g",
            files->checkpoint_dir, left / gib, files->checkpoint_keep, all / gib);
}
