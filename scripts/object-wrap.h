// Included before everything else when better-sqlite3 12 is compiled, see setup.sh. From Node.js 24.19 on, an object wrapped by
// node::ObjectWrap removes a hook when it is collected, and Node aborts if that happens while no JavaScript runs. These
// overloads match ObjectWrap better than Node's own do, and do without hooks, as before 24.19.
#if __has_include(<node.h>)
#include <node.h>
namespace node {
class ObjectWrap;
inline void AddEnvironmentCleanupHook(v8::Isolate*, void (*)(void*), ObjectWrap*) {}
inline void RemoveEnvironmentCleanupHook(v8::Isolate*, void (*)(void*), ObjectWrap*) {}
}  // namespace node
#endif
