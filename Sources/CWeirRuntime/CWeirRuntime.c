#include "CWeirRuntime.h"

#if defined(__APPLE__) || defined(__linux__)

#include <stdbool.h>

#if defined(__APPLE__)
#include <pthread.h>
#else
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Weak: a system of Apple's may be older than the function, and a program need not link Dispatch.
struct dispatch_queue_s;
extern struct dispatch_queue_s _dispatch_main_q __attribute__((weak));
extern void dispatch_queue_set_specific(
    struct dispatch_queue_s *queue, const void *key, void *context, void (*destructor)(void *)) __attribute__((weak));
extern void *dispatch_get_specific(const void *key) __attribute__((weak));

extern WEIR_SWIFT WeirExecutor swift_task_getCurrentExecutor(void);
extern WEIR_SWIFT bool swift_task_isCurrentExecutorWithFlags(WeirExecutor executor, uint64_t flags) __attribute__((weak));

WEIR_SWIFT WeirExecutor weir_currentExecutor(void) {
  return swift_task_getCurrentExecutor();
}

WEIR_SWIFT WeirAnswer weir_isCurrentExecutor(WeirExecutor executor) {
  if (!swift_task_isCurrentExecutorWithFlags) return -1;
  return swift_task_isCurrentExecutorWithFlags(executor, 0);  // Without a flag it can't end the program.
}

WEIR_SWIFT WeirAnswer weir_isOnMainQueue(void) {
  static char mark;
  static _Atomic(bool) isMarked;
  if (!dispatch_get_specific) return -1;
  // Two threads may mark the queue: with the same value.
  if (!isMarked) {
    dispatch_queue_set_specific(&_dispatch_main_q, &mark, &mark, 0);
    isMarked = true;
  }
  return dispatch_get_specific(&mark) != 0;
}

WEIR_SWIFT WeirAnswer weir_isOnMainThread(void) {
#if defined(__APPLE__)
  return pthread_main_np() != 0;
#else
  // The number of the main thread is that of the process. Each thread asks once.
  static _Thread_local WeirAnswer answer = -1;
  if (answer < 0) answer = syscall(SYS_gettid) == getpid();
  return answer;
#endif
}

#else

WEIR_SWIFT WeirExecutor weir_currentExecutor(void) { return (WeirExecutor){0, 0}; }

WEIR_SWIFT WeirAnswer weir_isCurrentExecutor(WeirExecutor executor) { return -1; }

WEIR_SWIFT WeirAnswer weir_isOnMainQueue(void) { return -1; }

WEIR_SWIFT WeirAnswer weir_isOnMainThread(void) { return -1; }

#endif
