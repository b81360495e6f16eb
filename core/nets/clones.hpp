// Functions compiled for several generations of processors; the one that runs is chosen at start. Sums are in the same
// order everywhere, but only the newer ones add and multiply in one rounding: results agree to about 1e-6.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define KIEBITZ_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define KIEBITZ_CLONES
#endif
