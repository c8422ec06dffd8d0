#include "heap.h"

// Defines `__GLIBC__` where that is the C library.
#include <stdlib.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// The sanitizer's allocator is another one.
#elif defined(__GLIBC__)
#include <malloc.h>
#define BYTES mallinfo2().uordblks
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#define BYTES mstats().bytes_used
#endif

#ifdef BYTES
bool tells_allocated_bytes(void) { return true; }
size_t allocated_bytes(void) { return BYTES; }
#else
bool tells_allocated_bytes(void) { return false; }
size_t allocated_bytes(void) { return 0; }
#endif
