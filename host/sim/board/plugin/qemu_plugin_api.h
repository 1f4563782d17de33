/* What librigd-qemu-edges.so uses of QEMU's TCG plugin API, version 1 (QEMU 4.2 to 8.x), declared here
 * because Debian packages no header. The functions live in the QEMU executable and are bound when the plugin
 * is loaded. Version 2 (QEMU 9) changed several of them: qemu_plugin_install refuses it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RIGD_QEMU_PLUGIN_VERSION 1

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef struct qemu_info_t {
  const char* target_name;
  struct {
    int min; /* oldest version QEMU accepts */
    int cur; /* the one it speaks */
  } version;
  uint8_t system_emulation; /* a C bool */
  union {
    struct {
      int smp_vcpus;
      int max_vcpus;
    } system;
  } cpus;
} qemu_info_t;

/* Their size is QEMU's choice. */
/* NOLINTBEGIN(performance-enum-size) */
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };
/* NOLINTEND(performance-enum-size) */

typedef void (*qemu_plugin_simple_cb_t)(qemu_plugin_id_t id);
typedef void (*qemu_plugin_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb* tb);
typedef void (*qemu_plugin_exec_cb_t)(unsigned int vcpu, void* data);
typedef void (*qemu_plugin_mem_cb_t)(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address,
                                     void* data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_tb_trans_cb_t callback);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb* tb, qemu_plugin_exec_cb_t callback,
                                          enum qemu_plugin_cb_flags flags, void* data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn* insn, qemu_plugin_mem_cb_t callback,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void* data);
void qemu_plugin_register_flush_cb(qemu_plugin_id_t id, qemu_plugin_simple_cb_t callback);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb* tb);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb* tb, size_t index);
const void* qemu_plugin_insn_data(const struct qemu_plugin_insn* insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn* insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn* insn);

#ifdef __cplusplus
}
#endif
