// librigd-virtual-hid.so: the hidapi functions that OpenOCD 0.12 calls, for virtual CMSIS-DAP adapters.
//
// LD_PRELOADed into an unmodified OpenOCD, it replaces the USB below hidapi and nothing else. Devices are the
// folders of $RIGD_VIRTUAL_USB, which look like those of /sys/bus/usb/devices (idVendor, idProduct, serial,
// manufacturer, product: text and a newline). A folder with a `hid.sock`, a Unix SOCK_SEQPACKET socket
// carrying one HID report a packet, is a HID device. Opening a device takes an exclusive lock on its folder,
// as claiming a USB interface does: a second program is refused at once, and the lock ends with the process
// that holds it.
//
// The prototypes are hidapi's own (libhidapi-dev), so a change of its interface does not go unnoticed.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <hidapi/hidapi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define EXPORT __attribute__((visibility("default")))

enum {
  kMaxDevices = 64,   // enumeration stops here: a bench is smaller
  kMaxText = 128,     // longest descriptor string, in bytes
  kMaxReport = 1024,  // longest HID report of a high-speed device (USB 2.0, 5.7.3)
  kSendTimeoutS = 1,  // to connect and to write: hidapi has none of its own, its libusb backend uses this
  kBusyWaitNs = 100000,
  kLongAbsenceNs = 300000,
  kPatientReads = 10000,
};

struct hid_device_ {
  int socket;
  int folder;         // open only to hold the lock
  int patient_reads;  // the next reads that sleep at once
  int timeout_ms;     // of reads that sleep, as set on the socket
};

// The first line of folder/name as a string of at most kMaxText - 1 bytes; 0 if there is none.
static int read_text(const char* folder, const char* name, char text[kMaxText]) {
  char path[512];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return 0;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = read(file, text, kMaxText - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  text[strcspn(text, "\n")] = '\0';
  return 1;
}

static wchar_t* widen(const char* text) {
  const size_t length = strlen(text);
  wchar_t* wide = calloc(length + 1, sizeof *wide);
  for (size_t i = 0; wide != NULL && i < length; ++i)
    wide[i] = (wchar_t)(unsigned char)text[i];
  return wide;
}

static wchar_t* read_wide(const char* folder, const char* name) {
  char text[kMaxText];
  return widen(read_text(folder, name, text) ? text : "");
}

static int read_id(const char* folder, const char* name, unsigned short* id) {
  char text[kMaxText];
  if (!read_text(folder, name, text)) return 0;
  char* end;
  const unsigned long value = strtoul(text, &end, 16);
  if (end == text || *end != '\0' || value > 0xFFFF) return 0;
  *id = (unsigned short)value;
  return 1;
}

static int has_socket(const char* folder) {
  char path[512];
  return snprintf(path, sizeof path, "%s/hid.sock", folder) < (int)sizeof path && access(path, F_OK) == 0;
}

// The device in `folder`, or NULL if the folder is not a HID device matching the ids (0 matches any).
static struct hid_device_info* describe(const char* folder, unsigned short vendor, unsigned short product) {
  unsigned short vendor_id, product_id;
  if (!has_socket(folder) || !read_id(folder, "idVendor", &vendor_id) ||
      !read_id(folder, "idProduct", &product_id)) {
    return NULL;
  }
  if ((vendor != 0 && vendor != vendor_id) || (product != 0 && product != product_id)) return NULL;
  struct hid_device_info* info = calloc(1, sizeof *info);
  if (info == NULL) return NULL;
  info->path = strdup(folder);
  info->vendor_id = vendor_id;
  info->product_id = product_id;
  info->serial_number = read_wide(folder, "serial");
  info->manufacturer_string = read_wide(folder, "manufacturer");
  info->product_string = read_wide(folder, "product");
  info->interface_number = -1;
  if (info->path && info->serial_number && info->manufacturer_string && info->product_string) return info;
  hid_free_enumeration(info);
  return NULL;
}

static int is_visible(const struct dirent* entry) {
  return entry->d_name[0] != '.';
}

EXPORT int HID_API_CALL hid_init(void) {
  return 0;
}
EXPORT int HID_API_CALL hid_exit(void) {
  return 0;
}

EXPORT struct hid_device_info* HID_API_CALL hid_enumerate(unsigned short vendor_id,
                                                          unsigned short product_id) {
  const char* root = getenv("RIGD_VIRTUAL_USB");
  struct dirent** entries = NULL;
  const int count = root == NULL ? -1 : scandir(root, &entries, is_visible, alphasort);
  struct hid_device_info* first = NULL;
  struct hid_device_info** next = &first;
  for (int i = 0, found = 0; i < count; ++i) {
    char folder[400];
    const int fits = snprintf(folder, sizeof folder, "%s/%s", root, entries[i]->d_name) < (int)sizeof folder;
    free(entries[i]);
    if (!fits || found == kMaxDevices) continue;
    *next = describe(folder, vendor_id, product_id);
    if (*next == NULL) continue;
    next = &(*next)->next;
    ++found;
  }
  free(entries);
  return first;
}

EXPORT void HID_API_CALL hid_free_enumeration(struct hid_device_info* devices) {
  while (devices != NULL) {
    struct hid_device_info* next = devices->next;
    free(devices->path);
    free(devices->serial_number);
    free(devices->manufacturer_string);
    free(devices->product_string);
    free(devices);
    devices = next;
  }
}

// A connected socket, or -1. A Unix socket connects at once unless its listener's queue is full.
static int connect_socket(const char* folder) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/hid.sock", folder);
  if (length >= (int)sizeof address.sun_path) return -1;
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  const struct timeval timeout = {.tv_sec = kSendTimeoutS};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
  if (connect(fd, (const struct sockaddr*)&address, sizeof address) == 0) return fd;
  close(fd);
  return -1;
}

EXPORT hid_device* HID_API_CALL hid_open_path(const char* path) {
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return NULL;
  const int fd = flock(folder, LOCK_EX | LOCK_NB) == 0 ? connect_socket(path) : -1;
  hid_device* device = fd < 0 ? NULL : calloc(1, sizeof *device);
  if (device == NULL) {
    if (fd >= 0) close(fd);
    close(folder);
    return NULL;
  }
  device->socket = fd;
  device->folder = folder;
  return device;
}

EXPORT hid_device* HID_API_CALL hid_open(unsigned short vendor_id, unsigned short product_id,
                                         const wchar_t* serial_number) {
  struct hid_device_info* devices = hid_enumerate(vendor_id, product_id);
  const struct hid_device_info* match = devices;
  while (match != NULL && serial_number != NULL && wcscmp(serial_number, match->serial_number) != 0)
    match = match->next;
  hid_device* device = match == NULL ? NULL : hid_open_path(match->path);
  hid_free_enumeration(devices);
  return device;
}

EXPORT void HID_API_CALL hid_close(hid_device* device) {
  if (device == NULL) return;
  close(device->socket);
  close(device->folder);
  free(device);
}

// data[0] is the report number, which a device with a single report does not see. The count includes it.
EXPORT int HID_API_CALL hid_write(hid_device* device, const unsigned char* data, size_t length) {
  if (device == NULL || length < 2 || length > kMaxReport + 1) return -1;
  const ssize_t sent = send(device->socket, data + 1, length - 1, MSG_NOSIGNAL);
  return sent == (ssize_t)(length - 1) ? (int)length : -1;
}

static int is_nothing(ssize_t received) {
  return received < 0 && (errno == EAGAIN || errno == EINTR);
}

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

// OpenOCD programs some chips with three round trips for two bytes, so waking an idle processor for each
// would take most of the time: an answer that comes at once is waited for without sleeping. Not while others
// compete for the processor: there a program that sleeps is preferred to one that never does, so a long
// absence after giving way ends it for a while.
static ssize_t receive_awake(hid_device* device, unsigned char* data, size_t length) {
  const long long begin = now_ns();
  long long before = begin;
  ssize_t size;
  while (is_nothing(size = recv(device->socket, data, length, MSG_DONTWAIT)) &&
         before - begin < kBusyWaitNs) {
    sched_yield();
    const long long after = now_ns();
    if (after - before > kLongAbsenceNs) {
      device->patient_reads = kPatientReads;
      break;
    }
    before = after;
  }
  return size;
}

// A negative timeout waits for ever, as hidapi's does; the caller's own deadline ends that.
static ssize_t receive_asleep(hid_device* device, unsigned char* data, size_t length, int timeout_ms) {
  if (device->timeout_ms != timeout_ms) {
    const int ms = timeout_ms < 0 ? 0 : timeout_ms;  // 0 is for ever
    const struct timeval timeout = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    setsockopt(device->socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    device->timeout_ms = timeout_ms;
  }
  return recv(device->socket, data, length, 0);
}

static ssize_t receive(hid_device* device, unsigned char* data, size_t length, int timeout_ms) {
  if (timeout_ms == 0) return recv(device->socket, data, length, MSG_DONTWAIT);
  if (device->patient_reads > 0) {
    --device->patient_reads;
  } else {
    const ssize_t size = receive_awake(device, data, length);
    if (!is_nothing(size)) return size;
  }
  return receive_asleep(device, data, length, timeout_ms);
}

// The next report, 0 when none came in time, -1 when the device is gone.
EXPORT int HID_API_CALL hid_read_timeout(hid_device* device, unsigned char* data, size_t length,
                                         int timeout_ms) {
  if (device == NULL || length == 0) return -1;
  const ssize_t size = receive(device, data, length, timeout_ms);
  if (is_nothing(size)) return 0;
  if (size <= 0) return -1;
  memset(data + size, 0, length - (size_t)size);  // a USB report always has its full length
  return (int)length;
}

EXPORT const wchar_t* HID_API_CALL hid_error(hid_device* device) {
  (void)device;
  return L"virtual adapter gone";
}
