#include "nets/multiply.hpp"

#include "nets/clones.hpp"

namespace kiebitz::nets {
namespace {

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

[[gnu::always_inline]] inline Lanes& at(float* place) { return *reinterpret_cast<Lanes*>(place); }
[[gnu::always_inline]] inline const Lanes& at(const float* place) { return *reinterpret_cast<const Lanes*>(place); }

// Rows x Wide vectors of results in registers. Always inlined, so that it is compiled for the processor of its caller.
template <std::size_t Rows, std::size_t Wide>
[[gnu::always_inline]] inline void tile(const float* in, std::size_t stride, std::size_t depth, const float* weights,
                                        const float* bias, const float* skip, bool relu, std::size_t columns,
                                        float* out) {
  Lanes sums[Rows][Wide];
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t w = 0; w < Wide; ++w) sums[r][w] = at(bias + w * kLanes);
  }
  for (std::size_t k = 0; k < depth; ++k) {
    for (std::size_t w = 0; w < Wide; ++w) {
      const Lanes weight = at(weights + k * columns + w * kLanes);
      for (std::size_t r = 0; r < Rows; ++r) sums[r][w] += weight * in[r * stride + k];
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t w = 0; w < Wide; ++w) {
      Lanes& sum = sums[r][w];
      if (skip != nullptr) sum += at(skip + r * columns + w * kLanes);
      if (relu) sum = sum < 0 ? Lanes{} : sum;  // NaN stays NaN
      at(out + r * columns + w * kLanes) = sum;
    }
  }
}

template <std::size_t Wide>
[[gnu::always_inline]] inline void add_rows_of(const std::size_t* places, const float* numbers, std::size_t count,
                                               const float* matrix, std::size_t columns, const float* start, bool relu,
                                               float* out) {
  Lanes sums[Wide];
  for (std::size_t w = 0; w < Wide; ++w) sums[w] = at(start + w * kLanes);
  for (std::size_t n = 0; n < count; ++n) {
    const float* row = matrix + places[n] * columns;
    for (std::size_t w = 0; w < Wide; ++w) sums[w] += at(row + w * kLanes) * numbers[n];
  }
  for (std::size_t w = 0; w < Wide; ++w) {
    if (relu) sums[w] = sums[w] < 0 ? Lanes{} : sums[w];
    at(out + w * kLanes) = sums[w];
  }
}

}  // namespace

KIEBITZ_CLONES void multiply(const float* in, std::size_t stride, std::size_t rows, std::size_t depth,
                             const float* weights, const float* bias, const float* skip, bool relu, std::size_t columns,
                             float* out) {
  const auto run = [&]<std::size_t Rows, std::size_t Wide>(std::size_t r, std::size_t c)
      __attribute__((always_inline)) {
    tile<Rows, Wide>(in + r * stride, stride, depth, weights + c, bias + c,
                     skip == nullptr ? nullptr : skip + r * columns + c, relu, columns, out + r * columns + c);
  };
  constexpr std::size_t kRows = 6;
  // One row at the end takes several vectors at a time: a sum waits for the one before it.
  constexpr std::size_t kWide = 4;
  const std::size_t whole = rows - rows % kRows;
  const std::size_t left = rows - whole;
  for (std::size_t c = 0; c < columns; c += kLanes) {
    for (std::size_t r = 0; r < whole; r += kRows) run.template operator()<kRows, 1>(r, c);
    if (left == 5) run.template operator()<5, 1>(whole, c);
    if (left == 4) run.template operator()<4, 1>(whole, c);
    if (left == 3) run.template operator()<3, 1>(whole, c);
    if (left == 2) run.template operator()<2, 1>(whole, c);
  }
  if (left == 1) {
    std::size_t c = 0;
    for (; c + kWide * kLanes <= columns; c += kWide * kLanes) run.template operator()<1, kWide>(whole, c);
    for (; c < columns; c += kLanes) run.template operator()<1, 1>(whole, c);
  }
}

KIEBITZ_CLONES void add_rows(const std::size_t* places, const float* numbers, std::size_t count, const float* matrix,
                             std::size_t columns, const float* start, bool relu, float* out) {
  constexpr std::size_t kWide = 4;  // vectors that stay in registers
  std::size_t c = 0;
  const auto run = [&]<std::size_t Wide>() __attribute__((always_inline)) {
    add_rows_of<Wide>(places, numbers, count, matrix + c, columns, start + c, relu, out + c);
    c += Wide * kLanes;
  };
  while (c + kWide * kLanes <= columns) run.template operator()<kWide>();
  while (c < columns) run.template operator()<1>();
}

}  // namespace kiebitz::nets
