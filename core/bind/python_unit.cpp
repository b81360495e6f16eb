// Everything that is instantiated for games written in Python.
#include "bind/box.hpp"
#include "bind/box_search.hpp"
#include "bind/python_game.hpp"

namespace kiebitz::bind {

std::shared_ptr<AnyGame> box_python_game(std::shared_ptr<const python::Game> game, Fields parameters) {
  return std::make_shared<GameBox<python::Game>>(std::move(game), std::move(parameters));
}

}  // namespace kiebitz::bind
