// The memory of one search tree: nodes in blocks of siblings, addressed by 32-bit numbers, grown by doubling up to a
// limit and kept from search to search. What a selection reads of every sibling (mean and 1/sqrt(visits)) is stored
// apart from the rest, so that a whole set of siblings fits into one or two cache lines. What only the report of the
// root needs (squares, and the payoffs of the other players) is kept for the first nodes alone, the root and its
// children, unless any node may become the root or the whole tree is asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <type_traits>

#include "base/types.hpp"

namespace kiebitz::search {

struct Node {
  double total = 0;                      // payoffs of the player who moved here (at the root: of the player to move)
  std::uint32_t visits = 0;              // simulations through this node
  std::uint32_t first = 0;               // first of its children, which lie side by side; 0: none yet
  std::int32_t action : 24 = kNoAction;  // that led here
  std::int32_t player : 8 = kTerminal;   // the player to move, kChance or kTerminal; known once the node was reached
  std::uint16_t count = 0;               // children
  std::uint16_t tried = 0;  // children already reached; at decision nodes they are the first ones of the block
};
static_assert(sizeof(Node) == 24 && std::is_trivially_copyable_v<Node>);

// What a selection reads of a child.
struct Score {
  float mean = 0;   // total / visits
  float width = 0;  // 1 / sqrt(visits)
};

class NodePool {
 public:
  static constexpr std::int64_t kMostActions = std::int64_t{1} << 23;  // what Node::action can hold
  static constexpr int kMostChildren = 65535;

  // `width`: payoffs kept besides a node's own total (0 or the number of players), for the first `detailed` nodes,
  // together with the sum of squares. At least one block of `most_children` and the root always fit.
  void configure(int width, std::uint32_t detailed, std::uint64_t bytes, std::uint32_t most_children) {
    width_ = static_cast<std::size_t>(width);
    detailed_ = detailed;
    const std::uint64_t detail = (width_ + 1) * sizeof(double);
    const std::uint64_t each = sizeof(Node) + sizeof(Score) + (detailed == kAll ? detail : 0);
    limit_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(bytes / each, most_children + 1, 0xFFFFFFF0U));
  }
  static constexpr std::uint32_t kAll = 0xFFFFFFFFU;  // as `detailed`: every node

  void clear() {
    size_ = 0;
    full_ = false;
  }

  // A block of fresh nodes; returns its first number, or kNone when the limit is reached.
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::uint32_t add(std::uint32_t count) {
    if (count > limit_ - size_ || (count > capacity_ - size_ && !grow(size_ + count))) {
      full_ = true;
      return kNone;
    }
    const std::uint32_t first = size_;
    size_ += count;
    for (std::uint32_t i = first; i < size_; ++i) {
      nodes_[i] = Node{};
      scores_[i] = Score{};
    }
    if (first < detailed_) {
      const std::size_t last = std::min(size_, detailed_);
      std::fill(details_.get() + first * stride(), details_.get() + last * stride(), 0.0);
    }
    return first;
  }

  std::uint32_t size() const { return size_; }
  bool full() const { return full_; }
  bool has_vectors() const { return width_ != 0; }

  Node& node(std::uint32_t i) { return nodes_[i]; }
  const Node& node(std::uint32_t i) const { return nodes_[i]; }
  Score* scores() { return scores_.get(); }
  const Score* scores() const { return scores_.get(); }

  // The first nodes only: the sum of the squares of what `total` sums, and with vectors the payoffs of every player.
  bool detailed(std::uint32_t i) const { return i < detailed_; }
  double& squares(std::uint32_t i) { return details_[i * stride()]; }
  double squares(std::uint32_t i) const { return details_[i * stride()]; }
  double* totals(std::uint32_t i) { return details_.get() + i * stride() + 1; }
  const double* totals(std::uint32_t i) const { return details_.get() + i * stride() + 1; }

  // Fetches the children of a node into the cache.
  void prefetch(std::uint32_t first) const {
    __builtin_prefetch(&scores_[first]);
    __builtin_prefetch(&scores_[first + 8]);
    const char* nodes = reinterpret_cast<const char*>(&nodes_[first]);
    for (int line = 0; line < 4; ++line) __builtin_prefetch(nodes + 64 * line);
  }

  // Makes this pool a copy of the subtree of a node of another pool, level by level.
  void keep(const NodePool& from, std::uint32_t root) {
    clear();
    copy(from, root, add(1));
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (nodes_[i].first == 0) continue;
      const std::uint32_t source = nodes_[i].first;
      const std::uint32_t first = add(nodes_[i].count);
      if (first == kNone) {  // cannot happen while both pools have the same limit
        nodes_[i].first = 0;
        nodes_[i].count = nodes_[i].tried = 0;
        continue;
      }
      nodes_[i].first = first;
      for (std::uint32_t c = 0; c < nodes_[i].count; ++c) copy(from, source + c, first + c);
    }
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  template <class T>
  using Array = std::unique_ptr<T[], Free>;

  // realloc moves large arrays by remapping pages: no copy, and never both in memory.
  template <class T>
  static bool resize(Array<T>& array, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count == 0) return true;
    void* memory = std::realloc(static_cast<void*>(array.get()), count * sizeof(T));
    if (memory == nullptr) return false;
    (void)array.release();
    array.reset(static_cast<T*>(memory));
    return true;
  }

  bool grow(std::uint32_t needed) {
    const std::uint64_t wanted = std::max<std::uint64_t>({needed, std::uint64_t{capacity_} * 2, 1024});
    const auto next = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, limit_));
    if (!resize(nodes_, next) || !resize(scores_, next) || !resize(details_, std::min(next, detailed_) * stride())) {
      limit_ = capacity_;
      return false;
    }
    capacity_ = next;
    return true;
  }

  void copy(const NodePool& from, std::uint32_t source, std::uint32_t target) {
    nodes_[target] = from.nodes_[source];
    scores_[target] = from.scores_[source];
    if (from.detailed(source) && detailed(target))
      std::copy_n(&from.details_[source * stride()], stride(), &details_[target * stride()]);
  }

  std::size_t stride() const { return width_ + 1; }

  std::size_t width_ = 0;
  std::uint32_t detailed_ = kAll;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint32_t limit_ = 0;
  bool full_ = false;
  Array<Node> nodes_;
  Array<Score> scores_;
  Array<double> details_;
};

}  // namespace kiebitz::search
