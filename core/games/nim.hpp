// Nim (Bouton 1901): take any number of sticks from one heap. Taking the last one wins, or in misère play loses.
// The action "take n from heap h" has the number (n - 1) * heaps + h, the same as in OpenSpiel.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "games/contract.hpp"

namespace kiebitz::nim {

inline constexpr std::size_t kMaxHeaps = 16;
inline constexpr int kMaxHeap = 255;

class Game;

class State {
 public:
  State(const Game* game, int heaps) : game_(game), count_(static_cast<std::uint8_t>(heaps)) {}

  int player() const { return left_ == 0 ? kTerminal : mover_; }

  int legal(Action* out) const {
    int n = 0;
    const int largest = *std::max_element(heaps_.begin(), heaps_.end());
    for (int take = 1; take <= largest; ++take) {
      for (int heap = 0; heap < count_; ++heap) {
        if (size(heap) >= take) out[n++] = action(heap, take);
      }
    }
    return n;
  }

  // There are as many actions as sticks: draw a stick, take it and those below it.
  Action random_legal(Rng& rng) const {
    int stick = static_cast<int>(rng.below(left_));
    int heap = 0;
    while (stick >= size(heap)) stick -= size(heap++);
    return action(heap, stick + 1);
  }

  int outcomes(Outcome*) const { return 0; }

  void apply(Action a) {
    const int take = a / count_ + 1;
    auto& heap = heaps_[static_cast<std::size_t>(a % count_)];
    heap = static_cast<std::uint8_t>(heap - take);
    left_ = static_cast<std::uint16_t>(left_ - take);
    mover_ ^= 1;
  }

  void returns(double* out) const;

  // Exact for up to seven heaps, a hash beyond.
  std::uint64_t key() const {
    const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(heaps_);
    if (count_ < 8) return words[0] << 8 | mover_;
    return mix64(words[0] ^ mix64(words[1] ^ mover_ * 0x9E3779B97F4A7C15ULL));
  }

  // "2:3" takes three from the second heap.
  std::string name(Action a) const { return std::to_string(a % count_ + 1) + ":" + std::to_string(a / count_ + 1); }
  int kind(Action) const { return 0; }
  double amount(Action a) const { return a / count_ + 1; }
  int target(Action a) const { return a % count_; }
  std::optional<Action> parse(std::string_view text) const;
  std::string text() const;
  Fields save() const;
  Fields public_facts() const;

  // The heaps as parts of the largest one at the start; then the player to move, one number each.
  void tensor(float* out) const;

 private:
  friend class Game;

  int size(int heap) const { return heaps_[static_cast<std::size_t>(heap)]; }
  Action action(int heap, int take) const { return (take - 1) * count_ + heap; }

  const Game* game_;
  std::array<std::uint8_t, kMaxHeaps> heaps_{};
  std::uint16_t left_ = 0;  // sticks in all heaps
  std::uint8_t count_;      // heaps
  std::uint8_t mover_ = 0;
};

class Game {
 public:
  using State = nim::State;

  explicit Game(const Fields& parameters) {
    const FieldReader<ParameterError> in(parameters);
    misere_ = in.boolean("misere");
    heaps_ = in.integers("heaps", 0, kMaxHeap, 1, kMaxHeaps);
    int sticks = 0;
    for (const std::int64_t heap : heaps_) {
      sticks += static_cast<int>(heap);
      largest_ = std::max(largest_, static_cast<int>(heap));
      info_.log10_states += std::log10(static_cast<double>(heap + 1));
    }
    if (sticks == 0) throw ParameterError("heaps: expected at least one heap that is not empty");
    info_.name = "nim";
    info_.title = "Nim";
    info_.actions = static_cast<int>(heaps_.size()) * largest_;
    info_.max_legal = sticks;
    info_.max_length = sticks;
    info_.tensor_size = static_cast<int>(heaps_.size()) + 2;
    info_.kinds = {{"take", "move", "sticks"}};
  }

  static std::vector<Parameter> parameters() {
    return {{"heaps", "sticks in each heap, 1 to 16 heaps", std::vector<std::int64_t>{1, 3, 5, 7}, 0, kMaxHeap, {}},
            {"misere", "taking the last stick loses", false, 0, 0, {}}};
  }
  static std::vector<Preset> presets() { return {}; }

  const GameInfo& info() const { return info_; }
  const std::vector<std::int64_t>& heaps() const { return heaps_; }
  int largest() const { return largest_; }
  bool misere() const { return misere_; }

  State root() const {
    State state(this, static_cast<int>(heaps_.size()));
    for (std::size_t i = 0; i < heaps_.size(); ++i) set_heap(state, i, heaps_[i]);
    return state;
  }

  State load(const Fields& fields) const {
    const FieldReader<PositionError> in(fields);
    in.only({"heaps", "player"});
    State state(this, static_cast<int>(heaps_.size()));
    const std::int64_t player = in.integer("player", 0, 1);
    const auto heaps = in.integers("heaps", 0, largest_, heaps_.size(), heaps_.size());
    std::int64_t taken = 0;
    std::int64_t touched = 0;
    for (std::size_t i = 0; i < heaps.size(); ++i) {
      if (heaps[i] > heaps_[i]) {
        throw PositionError("heaps: expected at most " + std::to_string(heaps_[i]) + " in heap " +
                            std::to_string(i + 1) + ", got " + std::to_string(heaps[i]));
      }
      taken += heaps_[i] - heaps[i];
      touched += heaps[i] < heaps_[i];
      set_heap(state, i, heaps[i]);
    }
    // Any number of moves from `touched` to `taken` leads here, so only where the two are equal it decides whose turn
    // it is.
    if (taken == touched && taken % 2 != player) {
      throw PositionError("player: player 0 begins, so here player " + std::to_string(taken % 2) + " is to move");
    }
    state.mover_ = static_cast<std::uint8_t>(player);
    return state;
  }

 private:
  static void set_heap(State& state, std::size_t heap, std::int64_t size) {
    state.heaps_[heap] = static_cast<std::uint8_t>(size);
    state.left_ = static_cast<std::uint16_t>(state.left_ + size);
  }

  std::vector<std::int64_t> heaps_;
  int largest_ = 0;
  bool misere_ = false;
  GameInfo info_;
};

inline void State::returns(double* out) const {
  // The player who would be next did not take the last stick.
  out[mover_] = game_->misere() ? 1 : -1;
  out[1 - mover_] = -out[mover_];
}

inline std::optional<Action> State::parse(std::string_view text) const {
  // Two numbers with anything but digits around them: 2:3, 2 3, heap 2 take 3.
  std::array<int, 2> numbers{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] < '0' || text[i] > '9') {
      ++i;
      continue;
    }
    if (n == 2) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), numbers[n++]);
    if (error != std::errc()) return std::nullopt;
    i = static_cast<std::size_t>(end - text.data());
  }
  if (n != 2 || numbers[0] < 1 || numbers[0] > count_ || numbers[1] < 1 || numbers[1] > game_->largest()) {
    return std::nullopt;
  }
  return action(numbers[0] - 1, numbers[1]);
}

inline std::string State::text() const {
  std::string out;
  for (int heap = 0; heap < count_; ++heap) {
    std::string line = std::to_string(heap + 1);
    line = (heap < 9 && count_ > 9 ? " heap " : "heap ") + line + ": " + std::to_string(size(heap));
    if (game_->largest() <= 40 && size(heap) > 0) line += " " + std::string(static_cast<std::size_t>(size(heap)), '|');
    out += line + "\n";
  }
  return left_ == 0 ? out : out + "player " + std::to_string(mover_) + " to move\n";
}

inline Fields State::save() const {
  return {{"heaps", std::vector<std::int64_t>(heaps_.begin(), heaps_.begin() + count_)},
          {"player", std::int64_t{mover_}}};
}

inline Fields State::public_facts() const { return {{"heaps", *find_field(save(), "heaps")}}; }

inline void State::tensor(float* out) const {
  for (int heap = 0; heap < count_; ++heap) {
    out[heap] = static_cast<float>(size(heap)) / static_cast<float>(game_->largest());
  }
  out[count_] = mover_ == 0;
  out[count_ + 1] = mover_ == 1;
}

}  // namespace kiebitz::nim
