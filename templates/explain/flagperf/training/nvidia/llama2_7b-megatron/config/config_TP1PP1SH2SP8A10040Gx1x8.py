max_seq_length = 4096
tensor_parallel_degree = 1
sharding = "stage2"
