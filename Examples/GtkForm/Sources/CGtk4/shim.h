// Later versions deprecate what the oldest one that will do, Debian 12's, has no other way for.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#define GLIB_DISABLE_DEPRECATION_WARNINGS
#include <glib-unix.h>
#include <gtk/gtk.h>

// What libdispatch offers to run loops that are not its own, so that they can run the main queue: Foundation's does it with
// these. They are exported, but no header declares them.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *_Null_unspecified unused);
