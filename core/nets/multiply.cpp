#include "nets/multiply.hpp"

#include <algorithm>

// Compiled for several generations of processors; the one that runs it is chosen at start. Sums are in the same order
// everywhere, but only the newer ones add and multiply in one rounding: results agree to about 1e-6.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define KIEBITZ_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define KIEBITZ_CLONES
#endif

namespace kiebitz::nets {
namespace {

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

// Rows x 16 results in registers. Always inlined, so that it is compiled for the processor of its caller.
template <std::size_t Rows>
[[gnu::always_inline]] inline void tile(const float* in, std::size_t stride, std::size_t depth, const float* weights,
                                        const float* bias, const float* skip, bool relu, std::size_t columns,
                                        float* out) {
  Lanes sums[Rows];
  for (std::size_t r = 0; r < Rows; ++r) sums[r] = *reinterpret_cast<const Lanes*>(bias);
  for (std::size_t k = 0; k < depth; ++k) {
    const Lanes w = *reinterpret_cast<const Lanes*>(weights + k * columns);
    for (std::size_t r = 0; r < Rows; ++r) sums[r] += w * in[r * stride + k];
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    if (skip != nullptr) sums[r] += *reinterpret_cast<const Lanes*>(skip + r * columns);
    if (relu) sums[r] = sums[r] > 0 ? sums[r] : Lanes{};
    *reinterpret_cast<Lanes*>(out + r * columns) = sums[r];
  }
}

}  // namespace

KIEBITZ_CLONES void multiply(const float* in, std::size_t stride, std::size_t rows, std::size_t depth,
                             const float* weights, const float* bias, const float* skip, bool relu, std::size_t columns,
                             float* out) {
  constexpr std::size_t kRows = 6;
  for (std::size_t c = 0; c < columns; c += kLanes) {
    const auto run = [&]<std::size_t Rows>(std::size_t r) __attribute__((always_inline)) {
      tile<Rows>(in + r * stride, stride, depth, weights + c, bias + c,
                 skip == nullptr ? nullptr : skip + r * columns + c, relu, columns, out + r * columns + c);
    };
    std::size_t r = 0;
    for (; r + kRows <= rows; r += kRows) run.template operator()<kRows>(r);
    for (; r < rows; ++r) run.template operator()<1>(r);
  }
}

}  // namespace kiebitz::nets
