/* decays: which weights decay. */
#pragma once

/* By our convention, matrices but not the embedding (nor a head that is tied to it); by
 * Megatron-LM's, all but vectors; by DeepSpeed's without parameter groups, all. */
enum decays { DECAYS_LAYERS, DECAYS_MATRICES, DECAYS_ALL };
