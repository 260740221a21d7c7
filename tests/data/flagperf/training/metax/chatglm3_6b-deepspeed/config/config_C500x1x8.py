seqlength = 2048
batchsize = 1
flashattn = True
