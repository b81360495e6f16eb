// Threads that Python ends in the middle of C++.
//
// While Python goes, a daemon thread that waits for the interpreter lock is ended by pthread_exit (before Python 3.14).
// That unwinds its stack: destructors drop Python objects without the lock, and the first `catch (...)` or noexcept
// function ends the process. Any call of the core can be hit, because Python code runs below it: rules, imports, and
// finalisers when a new list starts a garbage collection. So such a thread stands still where it is until the process
// is gone, as in Python 3.14.
//
// To unwind a frame of C++, the unwinder asks its personality routine first. The linker puts ours in front of the
// standard one (--wrap in CMakeLists.txt), for the frames of this module only.
#ifdef __linux__

#include <unistd.h>
#include <unwind.h>

#include <cstdint>

extern "C" {

_Unwind_Reason_Code __real___gxx_personality_v0(int version, _Unwind_Action actions, std::uint64_t kind,
                                                _Unwind_Exception* exception, _Unwind_Context* context);

_Unwind_Reason_Code __wrap___gxx_personality_v0(int version, _Unwind_Action actions, std::uint64_t kind,
                                                _Unwind_Exception* exception, _Unwind_Context* context) {
  // Exceptions are not forced: this is pthread_exit.
  while ((actions & _UA_FORCE_UNWIND) != 0) pause();
  return __real___gxx_personality_v0(version, actions, kind, exception, context);
}

}  // extern "C"

#endif
