// Remembers what an evaluator said, so that positions that searches meet again are not judged again. What is asked for
// is known by a hash of the row; each place holds the position that came last.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "nets/evaluator.hpp"

namespace kiebitz::nets {

class Cache final : public Evaluator {
 public:
  // Takes up to so many bytes once it is used.
  Cache(std::shared_ptr<const Evaluator> inner, std::uint64_t bytes) : inner_(std::move(inner)), bytes_(bytes) {}

  void check(const GameInfo& info) const override { inner_->check(info); }
  bool has_policy() const override { return inner_->has_policy(); }
  bool has_values() const override { return inner_->has_values(); }

  // Other threads, and other calls of this one, go on while the inner evaluator thinks.
  void judge(const Positions& positions, Judgements& out) const override {
    Positions missing(positions.tensor_size, positions.actions, positions.players);
    std::vector<std::pair<std::size_t, std::uint64_t>> asked;  // row and key
    {
      const std::lock_guard alone(mutex_);
      prepare(positions);
      for (std::size_t row = 0; row < positions.count; ++row) {
        const std::uint64_t key = key_of(positions, row);
        const std::size_t place = key % keys_.size();
        if (keys_[place] == key) {
          copy(judgements_.data() + place * width_, out, row, positions);
        } else {
          asked.emplace_back(row, key);
          missing.copy(positions, row);
        }
      }
    }
    hits_ += static_cast<std::int64_t>(positions.count - asked.size());
    misses_ += static_cast<std::int64_t>(asked.size());
    if (asked.empty()) return;
    Judgements fresh;
    fresh.resize(missing);
    inner_->judge(missing, fresh);
    check_judgements(missing, fresh);
    const std::lock_guard alone(mutex_);
    prepare(positions);  // another game may have come in between
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto [row, key] = asked[i];
      const std::size_t place = key % keys_.size();
      float* kept = judgements_.data() + place * width_;
      std::copy_n(fresh.logits.data() + i * positions.actions, positions.actions, kept);
      std::copy_n(fresh.values.data() + i * positions.players, positions.players, kept + positions.actions);
      keys_[place] = key;
      copy(kept, out, row, positions);
    }
  }

  std::int64_t hits() const { return hits_; }
  std::int64_t misses() const { return misses_; }

 private:
  void prepare(const Positions& positions) const {
    const std::size_t width = positions.actions + positions.players;
    if (!keys_.empty() && width == width_) return;
    width_ = width;
    const std::size_t places = std::max<std::size_t>(bytes_ / (8 + sizeof(float) * width), 1);
    keys_.assign(places, 0);
    judgements_.assign(places * width, 0.0F);
  }

  // 0 stands for an empty place.
  static std::uint64_t key_of(const Positions& positions, std::size_t row) {
    std::uint64_t h = mix64(static_cast<std::uint64_t>(positions.movers[row]) + 1);
    const float* tensor = positions.tensor(row);
    for (std::size_t i = 0; i < positions.tensor_size; ++i) {
      h = (h ^ std::bit_cast<std::uint32_t>(tensor[i])) * 0x9E3779B97F4A7C15ULL;
      h ^= h >> 29;
    }
    const std::uint8_t* legal = positions.allowed(row);
    for (std::size_t a = 0; a < positions.actions; ++a) {
      if (legal[a] != 0) h = mix64(h ^ a);
    }
    return std::max<std::uint64_t>(mix64(h), 1);
  }

  static void copy(const float* kept, Judgements& out, std::size_t row, const Positions& positions) {
    std::copy_n(kept, positions.actions, out.logits.data() + row * positions.actions);
    std::copy_n(kept + positions.actions, positions.players, out.values.data() + row * positions.players);
  }

  std::shared_ptr<const Evaluator> inner_;
  std::uint64_t bytes_;
  mutable std::mutex mutex_;
  mutable std::size_t width_ = 0;  // numbers kept for a position
  mutable std::vector<std::uint64_t> keys_;
  mutable std::vector<float> judgements_;
  mutable std::atomic<std::int64_t> hits_{0};
  mutable std::atomic<std::int64_t> misses_{0};
};

}  // namespace kiebitz::nets
