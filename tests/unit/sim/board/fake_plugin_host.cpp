// usage: fake_plugin_host PLUGIN MIN CUR [ARGUMENT...]: calls qemu_plugin_install as a QEMU would that
// accepts plugin API versions MIN to CUR. Exit status 0: the plugin agreed, 1: it refused.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "sim/board/plugin/qemu_plugin_api.h"

// The plugin binds to these when it is loaded; a plugin that refuses must not call one.
extern "C" {
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, qemu_plugin_tb_trans_cb_t) {}
void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb*, qemu_plugin_exec_cb_t, qemu_plugin_cb_flags,
                                          void*) {}
void qemu_plugin_register_vcpu_mem_cb(qemu_plugin_insn*, qemu_plugin_mem_cb_t, qemu_plugin_cb_flags,
                                      qemu_plugin_mem_rw, void*) {}
void qemu_plugin_register_flush_cb(qemu_plugin_id_t, qemu_plugin_simple_cb_t) {}
size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb*) {
  return 0;
}
uint64_t qemu_plugin_tb_vaddr(const qemu_plugin_tb*) {
  return 0;
}
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb*, size_t) {
  return nullptr;
}
const void* qemu_plugin_insn_data(const qemu_plugin_insn*) {
  return nullptr;
}
size_t qemu_plugin_insn_size(const qemu_plugin_insn*) {
  return 0;
}
uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn*) {
  return 0;
}
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  void* plugin = ::dlopen(argv[1], RTLD_NOW);
  if (plugin == nullptr) {
    std::fprintf(stderr, "%s\n", ::dlerror());
    return 2;
  }
  using Install = int (*)(qemu_plugin_id_t, const qemu_info_t*, int, char**);
  const auto install = reinterpret_cast<Install>(::dlsym(plugin, "qemu_plugin_install"));
  qemu_info_t info{};
  info.target_name = "arm";
  info.version = {std::atoi(argv[2]), std::atoi(argv[3])};
  info.system_emulation = 1;
  return install(1, &info, argc - 4, argv + 4) == 0 ? 0 : 1;
}
