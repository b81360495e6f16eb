// The one loop in which a network spends its time: a matrix product with a bias.
#pragma once

#include <cstddef>

namespace kiebitz::nets {

// Columns of weights and results are padded to a multiple of this.
inline constexpr std::size_t kLanes = 16;

constexpr std::size_t padded(std::size_t columns) { return (columns + kLanes - 1) / kLanes * kLanes; }

// out = in * weights + bias (+ skip, if there is one), negative numbers replaced by 0 if `relu`.
//   in       rows x depth, rows `stride` numbers apart
//   weights  depth x columns, bias, skip and out accordingly; columns is a multiple of kLanes
// Each row is computed in the same way whatever the other rows are, to the last bit.
void multiply(const float* in, std::size_t stride, std::size_t rows, std::size_t depth, const float* weights,
              const float* bias, const float* skip, bool relu, std::size_t columns, float* out);

}  // namespace kiebitz::nets
