// What the core asks of Swift's runtime, of Dispatch and of the system, and can't ask in Swift without an import that it
// avoids. In C the linker finds these functions, also in a statically linked program, in which none can be looked up.
//
// No Swift code imports this header, because each client would have to find it, too. `CurrentActor.swift` declares the
// functions by their names. So they have Swift's calling convention.

#ifndef C_WEIR_RUNTIME_H
#define C_WEIR_RUNTIME_H

#include <stdint.h>

#define WEIR_SWIFT __attribute__((swiftcall))

/// 1 for yes, 0 for no, and -1 where the platform doesn't tell.
typedef int32_t WeirAnswer;

/// A serial executor: two words, as in the runtime's stable interface.
typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} WeirExecutor;

/// Returns the current executor, with an identity of 0 if there is none or the platform doesn't tell.
WEIR_SWIFT WeirExecutor weir_currentExecutor(void);

/// Returns whether an executor is the current one, without ending the program if it isn't.
WEIR_SWIFT WeirAnswer weir_isCurrentExecutor(WeirExecutor executor);

/// Returns whether the caller runs on the main queue.
WEIR_SWIFT WeirAnswer weir_isOnMainQueue(void);

/// Returns whether the caller runs on the main thread.
WEIR_SWIFT WeirAnswer weir_isOnMainThread(void);

#endif
