// The parts of the extension module, one function a file.
#pragma once

#include <nanobind/nanobind.h>

namespace kiebitz::bind {

void bind_info(nanobind::module_& m);
void bind_games(nanobind::module_& m);
void bind_nets(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_self_play(nanobind::module_& m);
void bind_exact(nanobind::module_& m);
void bind_solve(nanobind::module_& m);
void bind_cards(nanobind::module_& m);
void bind_dynamics(nanobind::module_& m);
void bind_env(nanobind::module_& m);
void bind_endgame(nanobind::module_& m);
void bind_proven_scores(nanobind::module_& m);

}  // namespace kiebitz::bind
