#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Whether the allocator tells how much is allocated.
bool tells_allocated_bytes(void);

/// The bytes that are allocated on the heap, or 0.
size_t allocated_bytes(void);
