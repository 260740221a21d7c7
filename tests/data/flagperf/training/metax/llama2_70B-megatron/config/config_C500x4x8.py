# batch

seqlength = 4096
batchsize = 1
accumulate_steps =1024
theoryflops = -1
tensor_parallel = 4
