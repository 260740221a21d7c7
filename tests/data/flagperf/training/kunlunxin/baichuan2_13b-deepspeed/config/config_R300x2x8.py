seqlength = 2048
batchsize = 1
