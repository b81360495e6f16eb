// The three calls that a game driven move by move from Python consists of (player, legal, apply) as plain C methods.
// The interpreter calls those without the argument matching that a bound function needs: a move of a random game
// of the bench takes 494 instead of 565 ns, random.choice (231 ns) included. Everything else (a refused action, an
// argument that is not a plain number, an error) goes to the bound function of the same name.
#include <nanobind/nanobind.h>

#include <limits>

#include "bind/any.hpp"
#include "bind/module.hpp"

namespace kiebitz::bind {

namespace nb = nanobind;

PyObject* new_action_list(const AnyState& state);

namespace {

// The bound functions; kept for the life of the process.
PyObject* bound_player = nullptr;
PyObject* bound_legal = nullptr;
PyObject* bound_apply = nullptr;

AnyState* ready_state(PyObject* self) { return nb::inst_ready(self) ? nb::inst_ptr<AnyState>(self) : nullptr; }

PyObject* player(PyObject* self, void*) {
  try {
    if (const AnyState* state = ready_state(self)) return PyLong_FromLong(state->player());
  } catch (...) {
    PyErr_Clear();
  }
  return PyObject_CallOneArg(bound_player, self);
}

PyObject* legal(PyObject* self, PyObject*) {
  try {
    if (const AnyState* state = ready_state(self)) return new_action_list(*state);
  } catch (...) {
    PyErr_Clear();
  }
  return PyObject_CallOneArg(bound_legal, self);
}

PyObject* apply(PyObject* self, PyObject* argument) {
  if (PyLong_CheckExact(argument)) {
    int overflow = 0;
    const long a = PyLong_AsLongAndOverflow(argument, &overflow);
    AnyState* state = ready_state(self);
    // A game written in Python may fail half-way, so it is asked only once, by the bound function.
    if (overflow == 0 && a >= 0 && a <= std::numeric_limits<Action>::max() && state != nullptr &&
        !state->needs_interpreter()) {
      try {
        state->apply(static_cast<Action>(a));
        Py_RETURN_NONE;
      } catch (...) {
        PyErr_Clear();
      }
    }
  }
  return PyObject_CallFunctionObjArgs(bound_apply, self, argument, nullptr);
}

PyMethodDef legal_method = {"legal", &legal, METH_NOARGS, "legal($self, /)\n--\n\nThe legal actions, ascending."};
PyMethodDef apply_method = {"apply", &apply, METH_O,
                            "apply($self, action, /)\n--\n\n"
                            "Plays an action. An illegal one raises IllegalAction and changes nothing."};
PyGetSetDef player_getter = {"player", &player, nullptr, "Whose turn it is: 0, 1, ..., CHANCE or TERMINAL.", nullptr};

}  // namespace

void install_hot_calls(nb::handle state_type) {
  auto* type = reinterpret_cast<PyTypeObject*>(state_type.ptr());
  bound_player = nb::object(state_type.attr("player").attr("fget")).release().ptr();
  bound_legal = nb::object(state_type.attr("legal")).release().ptr();
  bound_apply = nb::object(state_type.attr("apply")).release().ptr();
  nb::setattr(state_type, "player", nb::steal(PyDescr_NewGetSet(type, &player_getter)));
  nb::setattr(state_type, "legal", nb::steal(PyDescr_NewMethod(type, &legal_method)));
  nb::setattr(state_type, "apply", nb::steal(PyDescr_NewMethod(type, &apply_method)));
}

}  // namespace kiebitz::bind
