seqlength = 4096
batchsize = 1
accumulate_steps = 32
