seqlength = 4096
batchsize = 2
accumulate_steps = 16
tensor_parallel = 2
pipeline_parallel = 1
