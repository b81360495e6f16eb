// The loops in which a network spends its time: a matrix product with a bias, and the same for inputs that are mostly
// 0.
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

// out = start + the sum of numbers[n] * row places[n] of a matrix with so many columns; no negative numbers if `relu`.
void add_rows(const std::size_t* places, const float* numbers, std::size_t count, const float* matrix,
              std::size_t columns, const float* start, bool relu, float* out);

}  // namespace kiebitz::nets
