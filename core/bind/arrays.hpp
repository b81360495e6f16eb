// Vectors as NumPy arrays and back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

namespace kiebitz::bind {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;
using Given = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
Array<T> array_of(std::vector<T> values) {
  auto* const own = new std::vector<T>(std::move(values));
  nb::capsule owner(own, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array<T>(own->data(), {own->size()}, owner);
}

template <class T, class Item, class Get>
Array<T> array_of(const std::vector<Item>& items, Get get) {
  std::vector<T> out;
  out.reserve(items.size());
  for (const Item& item : items) out.push_back(static_cast<T>(get(item)));
  return array_of(std::move(out));
}

}  // namespace kiebitz::bind
