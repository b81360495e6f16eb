// kiebitz._core: the extension module.
#include "bind/module.hpp"

#include <chrono>
#include <thread>

#include "base/error.hpp"
#include "base/types.hpp"
#include "bind/python_game.hpp"
#include "bind/stoppable.hpp"

namespace nb = nanobind;

namespace {

template <class E>
void bind_error(nb::module_& m, const char* name, const char* doc, nb::handle base) {
  auto error = nb::exception<E>(m, name, base);
  error.attr("__doc__") = doc;
}

// Before the interpreter goes, with the lock held: asks the calls of all other threads to end and waits until they
// have.
void leave_python() {
  using kiebitz::bind::NativeCall;
  NativeCall::leaving = true;
  NativeCall::leaver = true;
  const nb::gil_scoped_release unlock;
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (NativeCall::running > 0 && std::chrono::steady_clock::now() < patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// The threads of a process are not in its forks.
void forget_calls() { kiebitz::bind::NativeCall::running = 0; }

void watch_the_interpreter() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&leave_python));
  const nb::module_ os = nb::module_::import_("os");
  if (nb::hasattr(os, "register_at_fork")) {
    os.attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function(&forget_calls));
  }
}

}  // namespace

NB_MODULE(_core, m) {
  using namespace kiebitz;
  m.doc() = "The C++ core of Kiebitz: games and searches. Use it through the package kiebitz.";

  // A module that defines a game and keeps a state of it in a global variable forms a cycle through C++ that the
  // interpreter cannot see; it lives until the process ends, which is where it would be freed anyway.
  nb::set_leak_warnings(false);
  watch_the_interpreter();

  auto base = nb::exception<Error>(m, "Error", PyExc_ValueError);
  base.attr("__doc__") = "Base of all errors that Kiebitz raises on purpose; a ValueError.";
  bind_error<IllegalAction>(m, "IllegalAction", "An action that the rules do not allow here.", base);
  bind_error<UnknownName>(m, "UnknownName", "A game, preset, agent or option that does not exist.", base);
  bind_error<ParameterError>(m, "ParameterError", "A rule parameter or option out of its range.", base);
  bind_error<PositionError>(m, "PositionError", "A position or deal that the rules cannot produce.", base);
  bind_error<ViewError>(m, "ViewError", "A view that no state can explain.", base);
  bind_error<TreeError>(m, "TreeError", "An explicit tree that is not a game with perfect recall.", base);
  bind_error<BudgetError>(m, "BudgetError", "A search budget that is empty or absurd.", base);
  bind_error<UnsuitableGame>(m, "UnsuitableGame", "An algorithm asked to run on a game it is not made for.", base);
  bind_error<LimitError>(m, "LimitError", "A memory or size limit was reached.", base);
  bind_error<python::FaultyGame>(m, "FaultyGame", "Rules written in Python that break the contract of games.", base);

  m.attr("CHANCE") = kChance;
  m.attr("TERMINAL") = kTerminal;
  m.attr("SOMEBODY") = kSomebody;

  bind::bind_info(m);
  bind::bind_games(m);
  bind::bind_endgame(m);
  bind::bind_proven_scores(m);
  bind::bind_nets(m);
  bind::bind_search(m);
  bind::bind_self_play(m);
  bind::bind_exact(m);
  bind::bind_solve(m);
  bind::bind_cards(m);
  bind::bind_dynamics(m);
  bind::bind_env(m);
}
