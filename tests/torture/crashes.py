#!/usr/bin/env python3
"""crashes.py FOLDER faults.so: is it told whose code breaks? Two programs are made in FOLDER, which does not fail."""
import os
import subprocess
import sys

from runs import OURS, Fault, Program

folder, library = (os.path.abspath(p) for p in sys.argv[1:])
THEIRS = "#include <stdlib.h>\nvoid they(void) { char *p = malloc(7); if (!p) abort(); *p = 1; }\n"
MAIN = """
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
void they(void);
static void quietly(int number) { (void)number; _exit(5); }
int main(int argc, char **argv)
{
    int how = argc > 1 ? atoi(argv[1]) : 0;
    if (how == 0)
        return they(), 0;
    if (how == 2) /* as a worker: the parent goes on */
        return fork() == 0 ? signal(SIGSEGV, quietly), *(volatile char *)malloc(7) = 1 : (wait(NULL), 0);
    char *volatile p = malloc(7);
    memset(p, argc, 7);
    return 0;
}
"""


def cc(*words):
    subprocess.run([os.environ.get("CC", "cc"), "-O1", *words], check=True)


for name, text in (("they.c", THEIRS), ("main.c", MAIN)):
    with open(f"{folder}/{name}", "w") as f:
        f.write(text)
cc("-fPIC", "-shared", "-o", f"{folder}/libthey.so", f"{folder}/they.c")
cc("-fno-builtin", "-o", f"{folder}/main", f"{folder}/main.c", f"{folder}/libthey.so", f"-Wl,-rpath,{folder}")
for how, code, whose in (("0", 134, 1), ("1", 139, OURS), ("2", 0, OURS)):
    program = Program(library, [f"{folder}/main", how])
    for at, expected in ((0, (0, 0)), (1, (code, whose))):
        ran = program.run(folder, Fault("memory", at, 12))
        assert (ran.code, ran.whose) == expected, (how, at, ran.code, ran.whose, expected)
    program.close()
