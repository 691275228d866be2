// Included before all else where better-sqlite3 12 is compiled, see setup.sh. From Node.js 24.19 on, what is wrapped by
// node::ObjectWrap takes a hook away when it is collected, and Node aborts where that happens while no JavaScript runs. These
// overloads suit ObjectWrap better than Node's own do, and leave hooks out, as it was before 24.19.
#if __has_include(<node.h>)
#include <node.h>
namespace node {
class ObjectWrap;
inline void AddEnvironmentCleanupHook(v8::Isolate*, void (*)(void*), ObjectWrap*) {}
inline void RemoveEnvironmentCleanupHook(v8::Isolate*, void (*)(void*), ObjectWrap*) {}
}  // namespace node
#endif
