seqlength = 4096
batchsize = 1
