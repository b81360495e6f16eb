// Random numbers: xoshiro256++ (Blackman and Vigna 2019), seeded by splitmix64. Small, fast, the same on every machine.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace kiebitz {

// One step of splitmix64: a good mixer for seeds and hash keys.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

class Rng {
 public:
  // Streams of one seed are independent of each other: a search gives each of its trees its own.
  explicit Rng(std::uint64_t seed = 0, std::uint64_t stream = 0) {
    std::uint64_t x = mix64(seed) ^ mix64(stream * 0xD1342543DE82EF95ULL + 1);
    for (auto& word : s_) word = x = mix64(x);
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(s_[0] + s_[3], 23) + s_[0];
    const std::uint64_t t = s_[1] << 17;
    s_[2] ^= s_[0];
    s_[3] ^= s_[1];
    s_[1] ^= s_[2];
    s_[0] ^= s_[3];
    s_[2] ^= t;
    s_[3] = std::rotl(s_[3], 45);
    return result;
  }

  // Uniform in 0..n-1 (n > 0, n < 2^32) by multiplication; the bias is below n / 2^32.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }

  // Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  const std::array<std::uint64_t, 4>& words() const { return s_; }
  void set_words(const std::array<std::uint64_t, 4>& words) { s_ = words; }

  friend bool operator==(const Rng&, const Rng&) = default;

 private:
  std::array<std::uint64_t, 4> s_{};
};

}  // namespace kiebitz
