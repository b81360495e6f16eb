// The move of Oware as a kernel: sowing by table and captures by bit mask on a board of 16 bytes, one vector register
// where the machine has SSE4.1. It knows how seeds move and what may be captured; all other rules are in oware.hpp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#if defined(__SSE4_1__)
#include <smmintrin.h>
#endif

#include "base/types.hpp"

namespace kiebitz::oware {

inline constexpr int kRow = 6;
inline constexpr int kPits = 12;
inline constexpr int kMaxSeedsPerPit = 10;
inline constexpr int kMaxSeeds = kPits * kMaxSeedsPerPit;  // below 128: counts fit a signed byte
inline constexpr unsigned kRowMask = 0x3F;

// The position as 16 bytes, seen by the player to move: own pits, the other's pits, own and other's captured seeds,
// number of the player to move, zero. Turning the board each move keeps the tables small and makes one register of it.
using Bytes = std::array<std::uint8_t, 16>;
inline constexpr std::size_t kOwn = 12;    // byte of the seeds captured by the player to move
inline constexpr std::size_t kOther = 13;  // ... and by the other one
inline constexpr std::size_t kMover = 14;

struct Tables {
  // What sowing pit a with n seeds adds to each pit (and takes from pit a).
  alignas(16) std::array<std::array<Bytes, kMaxSeeds + 1>, kRow> sow{};
  // 0 in pits of the other row that are captured, by their set; all ones elsewhere.
  alignas(16) std::array<Bytes, 64> keep{};
  // The pit of the other row that the last seed falls into, counted from 0; kRow: it falls into the mover's row.
  std::array<std::array<std::uint8_t, kMaxSeeds + 1>, kRow> last{};
  // Which pits of the other row are captured, by the last pit and the set of pits that hold two or three.
  std::array<std::array<std::uint8_t, 64>, kRow + 1> captured{};
  // The k-th member of a set of pits.
  std::array<std::array<std::uint8_t, 8>, 64> pick{};
};

// The pits of the board that `seeds` from a pit fall into, one after the other.
inline std::vector<std::int64_t> sown_pits(int from, int seeds) {
  std::vector<std::int64_t> out;
  // Each lap feeds the eleven other pits once.
  for (int i = 0; i < seeds; ++i) out.push_back((from + 1 + i % (kPits - 1)) % kPits);
  return out;
}

constexpr Tables make_tables() {
  Tables t;
  for (int a = 0; a < kRow; ++a) {
    for (int n = 1; n <= kMaxSeeds; ++n) {
      Bytes& add = t.sow[a][n];
      // Each lap feeds the eleven other pits once.
      for (int d = 1; d < kPits; ++d) add[(a + d) % kPits] = static_cast<std::uint8_t>(n / 11 + (d <= n % 11));
      add[a] = static_cast<std::uint8_t>(-n);
      const int last = (a + (n % 11 == 0 ? 11 : n % 11)) % kPits;
      t.last[a][n] = static_cast<std::uint8_t>(last < kRow ? kRow : last - kRow);
    }
  }
  for (unsigned set = 0; set < 64; ++set) {
    for (auto& byte : t.keep[set]) byte = 0xFF;
    int n = 0;
    for (int pit = 0; pit < kRow; ++pit) {
      if ((set >> pit & 1) == 0) continue;
      t.keep[set][kRow + pit] = 0;
      t.pick[set][n++] = static_cast<std::uint8_t>(pit);
    }
    for (int last = 0; last < kRow; ++last) {
      for (int pit = last; pit >= 0 && (set >> pit & 1) != 0; --pit) {
        t.captured[last][set] = static_cast<std::uint8_t>(t.captured[last][set] | 1U << pit);
      }
    }
  }
  return t;
}

inline constexpr Tables kTables = make_tables();

// What a move does, before the board is turned.
struct Sown {
  unsigned own;       // own pits that hold seeds afterwards
  unsigned other;     // the other's pits that hold seeds after sowing, before the capture
  unsigned captured;  // the other's pits that the rule of two and three takes
  unsigned odd;       // the other's pits with an odd number of seeds
  int seeds() const { return 2 * std::popcount(captured) + std::popcount(captured & odd); }
  bool captures(bool slam_takes) const { return captured != 0 && (slam_takes || captured != other); }
};

#if defined(__SSE4_1__)

using Register = __m128i;
inline Register load(const Bytes& bytes) { return _mm_load_si128(reinterpret_cast<const __m128i*>(bytes.data())); }
inline void store(Bytes& bytes, Register r) { _mm_store_si128(reinterpret_cast<__m128i*>(bytes.data()), r); }

inline unsigned other_row(Register mask) { return static_cast<unsigned>(_mm_movemask_epi8(mask)) >> kRow & kRowMask; }

inline Sown sow(Register& board, Action a, unsigned seeds) {
  board = _mm_add_epi8(board, load(kTables.sow[static_cast<std::size_t>(a)][seeds]));
  const unsigned empty = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(board, _mm_setzero_si128())));
  const Register even = _mm_and_si128(board, _mm_set1_epi8(static_cast<char>(0xFE)));
  const unsigned two_or_three = other_row(_mm_cmpeq_epi8(even, _mm_set1_epi8(2)));
  return {~empty & kRowMask, ~empty >> kRow & kRowMask,
          kTables.captured[kTables.last[static_cast<std::size_t>(a)][seeds]][two_or_three],
          other_row(_mm_slli_epi16(board, 7))};
}

inline void take(Register& board, unsigned captured, int seeds) {
  board = _mm_and_si128(board, load(kTables.keep[captured]));
  board = _mm_add_epi8(board, _mm_slli_si128(_mm_cvtsi32_si128(seeds), kOwn));
}

inline void turn(Register& board) {
  board = _mm_shuffle_epi8(board, _mm_setr_epi8(6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 13, 12, 14, 15));
  board = _mm_xor_si128(board, _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0));
}

// Own pits with enough seeds to reach the other row.
inline unsigned feeding(Register board) {
  const Register distance = _mm_setr_epi8(5, 4, 3, 2, 1, 0, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127);
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpgt_epi8(board, distance)));
}

inline unsigned occupied(Register board) {
  return ~static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(board, _mm_setzero_si128())));
}

// Own pits that may capture: the last seed makes two or three in the other row. Pits that go around are always among
// them.
inline unsigned threats(Register board) {
  const Register last = _mm_add_epi8(board, _mm_setr_epi8(0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  const Register there = _mm_and_si128(_mm_cmpgt_epi8(last, _mm_set1_epi8(5)), _mm_cmplt_epi8(last, _mm_set1_epi8(12)));
  const Register sown = _mm_add_epi8(_mm_shuffle_epi8(board, last), _mm_set1_epi8(1));
  const Register takes = _mm_cmpeq_epi8(_mm_and_si128(sown, _mm_set1_epi8(static_cast<char>(0xFE))), _mm_set1_epi8(2));
  const Register around = _mm_cmpgt_epi8(board, _mm_set1_epi8(11));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(around, _mm_and_si128(there, takes)))) & kRowMask;
}

#else

using Register = Bytes;
inline Register load(const Bytes& bytes) { return bytes; }
inline void store(Bytes& bytes, const Register& r) { bytes = r; }

inline Sown sow(Register& board, Action a, unsigned seeds) {
  const auto pit = static_cast<std::size_t>(a);
  Sown sown{};
  unsigned two_or_three = 0;
  for (std::size_t i = 0; i < kPits; ++i) {
    board[i] = static_cast<std::uint8_t>(board[i] + kTables.sow[pit][seeds][i]);
    if (i < kRow) {
      sown.own |= static_cast<unsigned>(board[i] != 0) << i;
    } else {
      sown.other |= static_cast<unsigned>(board[i] != 0) << (i - kRow);
      sown.odd |= static_cast<unsigned>(board[i] & 1) << (i - kRow);
      two_or_three |= static_cast<unsigned>(board[i] / 2 == 1) << (i - kRow);
    }
  }
  sown.captured = kTables.captured[kTables.last[pit][seeds]][two_or_three];
  return sown;
}

inline void take(Register& board, unsigned captured, int seeds) {
  for (std::size_t i = 0; i < kPits; ++i) board[i] &= kTables.keep[captured][i];
  board[kOwn] = static_cast<std::uint8_t>(board[kOwn] + seeds);
}

inline void turn(Register& board) {
  for (std::size_t i = 0; i < kRow; ++i) std::swap(board[i], board[kRow + i]);
  std::swap(board[kOwn], board[kOther]);
  board[kMover] ^= 1;
}

inline unsigned feeding(const Register& board) {
  unsigned set = 0;
  for (std::size_t i = 0; i < kRow; ++i) set |= static_cast<unsigned>(board[i] > kRow - 1 - i) << i;
  return set;
}

inline unsigned occupied(const Register& board) {
  unsigned set = 0;
  for (std::size_t i = 0; i < kPits; ++i) set |= static_cast<unsigned>(board[i] != 0) << i;
  return set;
}

inline unsigned threats(const Register& board) {
  unsigned set = 0;
  for (std::size_t i = 0; i < kRow; ++i) {
    const std::size_t last = i + board[i];
    const bool takes = last >= kRow && last < kPits && (board[last] == 1 || board[last] == 2);
    set |= static_cast<unsigned>(board[i] > 11 || takes) << i;
  }
  return set;
}

#endif

}  // namespace kiebitz::oware
