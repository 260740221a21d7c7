batchsize = 1
seqlength = 8192
