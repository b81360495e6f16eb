// CAP, the card assignment of Sievers and Helmert (2015), in the two variants of Diesner-Mayer (2025): hidden cards are
// dealt one by one at random, and cards that can only go to one seat are dealt at once. Fast and always consistent, but
// not uniform: it is the baseline for DealCounter.
//
// With up to three seats there are no dead ends. A partial deal can be completed if and only if no set of seats has
// more free slots than cards it can take (Hall's condition, as a cut). A single seat is about to violate it when it
// needs all the cards it can take: rule b. A pair violates it when the third seat has to take more cards than it can;
// rule a gives cards that only one seat can take to that seat at once. One card changes these counts by at most one, so
// equality is noticed before violation. With four seats there are pairs whose complement is a pair; there a draw may
// fail.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "base/rng.hpp"
#include "cards/deals.hpp"

namespace kiebitz::cards {

// The seat that gets a card drawn at random: the first that may hold it, or a random one of those.
enum class CapVariant { first, random };

class CapSampler {
 public:
  CapSampler(const DealProblem& problem, CapVariant variant)
      : start_(problem), variant_(variant), fits_hands_(fits_hands(problem)) {}

  // Draws one deal (Form is Deal or Hands). False if no deal fits the problem or, only with four seats, in a dead end.
  template <class Form>
  bool draw(Rng& rng, Form& deal) const {
    if constexpr (std::is_same_v<Form, Hands>) require_hands(fits_hands_);
    if (start_.stuck) return false;
    Assignment now = start_;
    while (now.hidden > 0) {
      const int type = now.type_of(rng.below(static_cast<std::uint32_t>(now.hidden)));
      now.give(type, choose(now, type, rng), 1);
      now.settle();
      if (now.stuck) return false;
    }
    now.write(deal);
    return true;
  }

 private:
  // The cards dealt so far, and what each seat can still take.
  struct Assignment {
    explicit Assignment(const DealProblem& p) : seats(p.seats), types(p.types) {
      p.check();
      for (int t = 0; t < types; ++t) {
        left[t] = p.copies[t];
        hidden += left[t];
        for (int s = 0; s < seats; ++s) {
          // Not limited to the free slots: rule a would see forced copies that CAP does not see, and be less uniform.
          room[t][s] = (p.allowed[t] >> s & 1) != 0 ? std::min(p.copies[t], p.most[t][s]) : std::uint8_t{0};
          reach[s] += room[t][s];
        }
      }
      for (int s = 0; s < seats; ++s) {
        free[s] = p.slots[s];
        if (free[s] == 0) close(s);
      }
      // Rule c, once: each seat first gets the cards that it is known to hold.
      for (int t = 0; t < types; ++t) {
        for (int s = 0; s < seats && !stuck; ++s) give(t, s, p.least[t][s]);
      }
      closed = true;
      if (!stuck) settle();
    }

    void give(int type, int seat, int n) {
      if (n == 0) return;
      if (n > left[type] || n > room[type][seat] || n > free[seat]) {
        stuck = true;
        return;
      }
      for (int s = 0; s < seats; ++s) reach[s] -= std::min(left[type], room[type][s]);
      left[type] -= n;
      room[type][seat] -= n;
      for (int s = 0; s < seats; ++s) reach[s] += std::min(left[type], room[type][s]);
      counts[type][seat] += n;
      hidden -= n;
      free[seat] -= n;
      if (free[seat] == 0) close(seat);
    }

    // A full seat takes no more cards; only this can leave a card with a single seat.
    void close(int seat) {
      for (int t = 0; t < types; ++t) room[t][seat] = 0;
      reach[seat] = 0;
      closed = true;
    }

    // Rules a and b until neither applies.
    void settle() {
      for (bool again = true; again && !stuck;) {
        again = false;
        if (closed) {
          closed = false;
          for (int t = 0; t < types; ++t) {
            if (left[t] > 0) again |= rule_a(t);
          }
        }
        for (int s = 0; s < seats; ++s) {
          if (free[s] == 0 || free[s] < reach[s]) continue;
          again = true;
          if (free[s] > reach[s]) stuck = true;
          for (int t = 0; t < types && !stuck; ++t) give(t, s, std::min(left[t], room[t][s]));
        }
      }
    }

    // Copies of a type for which the other seats have no room go to the remaining seat.
    bool rule_a(int type) {
      bool given = false;
      for (int s = 0; s < seats && !stuck; ++s) {
        int forced = left[type];
        for (int other = 0; other < seats; ++other) {
          if (other != s) forced -= room[type][other];
        }
        if (forced <= 0) continue;
        give(type, s, forced);
        given = true;
      }
      return given;
    }

    int type_of(std::uint32_t card) const {
      int t = 0;
      for (; card >= left[t]; ++t) card -= left[t];
      return t;
    }

    template <class Form>
    void write(Form& deal) const {
      deal = Form{};
      for (int t = 0; t < types; ++t) detail::put(deal, t, counts[t]);
    }

    int seats, types;
    int hidden = 0;       // copies not dealt yet
    bool stuck = false;   // no deal completes this
    bool closed = false;  // a seat became full since rule a was last applied
    std::array<std::uint8_t, kMaxTypes> left{};
    std::array<PerSeat, kMaxTypes> room{};    // copies that a seat may still take
    std::array<PerSeat, kMaxTypes> counts{};  // copies that a seat was dealt
    std::array<int, kMaxSeats> free{};        // free slots
    std::array<int, kMaxSeats> reach{};       // copies of all types that a seat could take
  };

  int choose(const Assignment& now, int type, Rng& rng) const {
    const PerSeat& room = now.room[type];
    int choices = 0;
    std::array<int, kMaxSeats> seat{};
    for (int s = 0; s < now.seats; ++s) {
      if (room[s] > 0) seat[choices++] = s;
    }
    return variant_ == CapVariant::first ? seat[0] : seat[rng.below(static_cast<std::uint32_t>(choices))];
  }

  Assignment start_;
  CapVariant variant_;
  bool fits_hands_;
};

}  // namespace kiebitz::cards
