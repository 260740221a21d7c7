#!/bin/sh
# Run in the built copy: the command works, and help knows it.
set -e
./fpreport cases | grep -q '^tiny_llama  *native$'
./fpreport help | grep -q '^  cases  '
./fpreport cases x 2>&1 | grep -q "found argument 'x'"
