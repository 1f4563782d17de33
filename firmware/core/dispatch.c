#include "core/dispatch.h"

#include <pb_decode.h>
#include <pb_encode.h>
#include <string.h>

#include "core/build_id.h"
#include "core/case.h"
#include "core/frame.h"
#include "core/heap.h"
#include "core/measure.h"
#include "core/stack.h"
#include "hal/hal.h"
#include "link.pb.h"

enum { MOST_REPETITIONS = 100000, MOST_INNER = 1000000, MOST_WARMUP = 1000, MOST_GAP_US = 60000000 };

// What send_response() and copy_text() rely on: the largest message fits a frame, and no text is cut.
_Static_assert(rigd_link_Response_size <= RIGD_MOST_PAYLOAD, "a response larger than a frame");
_Static_assert(rigd_link_Request_size <= RIGD_MOST_PAYLOAD, "a request larger than a frame");
_Static_assert(sizeof RIGD_TOOLCHAIN <= sizeof((rigd_link_Hello*)0)->toolchain,
               "link.options: Hello.toolchain");
_Static_assert(sizeof RIGD_FLAGS <= sizeof((rigd_link_Hello*)0)->flags, "link.options: Hello.flags");

static rigd_link_Request request;
static rigd_link_Response response;
static uint8_t payload[RIGD_MOST_PAYLOAD + RIGD_CRC_BYTES];
static void (*put_byte)(uint8_t byte);

static void begin_response(pb_size_t body) {
  memset(&response, 0, sizeof response);
  response.sequence = request.sequence;
  response.nonce = request.nonce;
  response.which_body = body;
}

static void send_response(void) {
  pb_ostream_t out = pb_ostream_from_buffer(payload, RIGD_MOST_PAYLOAD);
  // Cannot fail: link.options bounds every field so that the largest message fits.
  if (pb_encode(&out, rigd_link_Response_fields, &response))
    rigd_frame_send(payload, out.bytes_written, put_byte);
}

static void copy_text(char* into, size_t room, const char* text) {
  strncpy(into, text, room - 1);
  into[room - 1] = '\0';
}

static void send_status(rigd_link_Status_Code code, const char* detail) {
  begin_response(rigd_link_Response_status_tag);
  response.body.status.code = code;
  copy_text(response.body.status.detail, sizeof response.body.status.detail, detail);
  send_response();
}

static void send_failure(void) {
  if (rigd_heap_refused())
    send_status(rigd_link_Status_Code_OUT_OF_MEMORY, "the library asked for more heap than there is");
  else
    send_status(rigd_link_Status_Code_OPERATION_FAILED, "the library returned an error");
}

static void serve_hello(void) {
  begin_response(rigd_link_Response_hello_tag);
  rigd_link_Hello* hello = &response.body.hello;
  const hal_board* board = hal_board_facts();
  hello->protocol = rigd_link_Protocol_PROTOCOL_VERSION;
  copy_text(hello->board, sizeof hello->board, board->name);
  hello->chip_uid.size = (pb_size_t)hal_chip_uid(hello->chip_uid.bytes);
  hello->build_id.size = RIGD_BUILD_ID_BYTES;
  memcpy(hello->build_id.bytes, rigd_build_id(), RIGD_BUILD_ID_BYTES);
  copy_text(hello->toolchain, sizeof hello->toolchain, RIGD_TOOLCHAIN);
  copy_text(hello->flags, sizeof hello->flags, RIGD_FLAGS);
  hello->cpu_hz = board->cpu_hz;
  hello->timer_hz = board->timer_hz;
  hello->flash_wait_states = board->flash_wait_states;
  hello->max_payload = RIGD_MOST_PAYLOAD;
  hello->case_count = rigd_case_count();
  hello->ram_bytes = board->ram_bytes;
  hello->cycle_counter = board->cycle_counter;
  send_response();
}

static void serve_list(void) {
  for (uint32_t i = 0; i < rigd_case_count(); ++i) {
    const rigd_case_record* record = rigd_case_record_of(i);
    begin_response(rigd_link_Response_case_info_tag);
    rigd_link_CaseInfo* info = &response.body.case_info;
    info->index = i;
    copy_text(info->id, sizeof info->id, record->id);
    copy_text(info->library, sizeof info->library, record->library);
    info->min_size = record->min_size;
    info->max_size = record->max_size;
    info->size_step = record->size_step;
    send_response();
  }
  send_status(rigd_link_Status_Code_OK, "");
}

// The case asked for, if it exists and takes this size; else the refusal is sent.
static const rigd_case_ops* find_case(uint32_t index, uint32_t size, uint32_t inner) {
  if (index >= rigd_case_count()) {
    send_status(rigd_link_Status_Code_UNKNOWN_CASE, "no case of this index");
    return NULL;
  }
  const rigd_case_record* record = rigd_case_record_of(index);
  if (size < record->min_size || size > record->max_size || size % record->size_step != 0) {
    send_status(rigd_link_Status_Code_BAD_SIZE, "the case does not take this size");
    return NULL;
  }
  if (inner == 0 || inner > MOST_INNER) {
    send_status(rigd_link_Status_Code_BAD_COUNT, "inner must be 1 to 1000000");
    return NULL;
  }
  return rigd_case_ops_of(index);
}

static void serve_check(const rigd_link_CheckCaseRequest* asked) {
  const rigd_case_ops* ops = find_case(asked->index, asked->size, asked->inner);
  if (ops == NULL) return;
  rigd_heap_mark();
  const uint32_t failed = rigd_first_failed_vector(ops);
  uint32_t digest = 0;
  const bool computed = failed == 0 && rigd_digest(ops, asked->size, asked->inner, &digest);
  if (rigd_heap_refused() || (failed == 0 && !computed)) {  // no memory is not a wrong answer
    send_failure();
    return;
  }
  begin_response(rigd_link_Response_check_tag);
  response.body.check.passed = failed == 0;
  response.body.check.vectors = ops->vectors;
  response.body.check.failed_vector = failed;
  response.body.check.digest = digest;
  send_response();
}

static void send_repetition(const rigd_repetition* repetition) {
  begin_response(rigd_link_Response_repetition_tag);
  response.body.repetition.index = repetition->index;
  response.body.repetition.timer_ticks = repetition->timer_ticks;
  response.body.repetition.cycles = repetition->cycles;
  response.body.repetition.digest = repetition->digest;
  send_response();
}

static void serve_run(const rigd_link_RunCaseRequest* asked) {
  const rigd_case_ops* ops = find_case(asked->index, asked->size, asked->inner);
  if (ops == NULL) return;
  if (asked->repetitions == 0 || asked->repetitions > MOST_REPETITIONS || asked->warmup > MOST_WARMUP ||
      asked->gap_us > MOST_GAP_US) {
    send_status(rigd_link_Status_Code_BAD_COUNT, "repetitions, warm-up or gap out of bounds");
    return;
  }
  const rigd_windows windows = {asked->size, asked->repetitions, asked->inner, asked->gap_us, asked->warmup};
  uint32_t stack_bytes = 0;
  rigd_heap_mark();
  if (!rigd_measure(ops, &windows, send_repetition, &stack_bytes)) {
    send_failure();
    return;
  }
  begin_response(rigd_link_Response_run_done_tag);
  response.body.run_done.repetitions = windows.repetitions;
  response.body.run_done.stack_bytes = stack_bytes;
  response.body.run_done.heap_bytes = rigd_heap_peak();
  send_response();
}

static void serve_memory(void) {
  begin_response(rigd_link_Response_memory_tag);
  response.body.memory.stack_bytes = rigd_stack_used();
  response.body.memory.stack_size_bytes = rigd_stack_size();
  response.body.memory.heap_bytes = rigd_heap_peak_ever();
  response.body.memory.heap_size_bytes = rigd_heap_size();
  send_response();
}

void rigd_serve(const uint8_t* bytes, size_t length, void (*put)(uint8_t byte)) {
  put_byte = put;
  memset(&request, 0, sizeof request);
  pb_istream_t in = pb_istream_from_buffer(bytes, length);
  if (!pb_decode(&in, rigd_link_Request_fields, &request)) {
    send_status(rigd_link_Status_Code_BAD_REQUEST, "not a request");
    return;
  }
  switch (request.which_body) {
    case rigd_link_Request_hello_tag:
      serve_hello();
      break;
    case rigd_link_Request_list_cases_tag:
      serve_list();
      break;
    case rigd_link_Request_check_case_tag:
      serve_check(&request.body.check_case);
      break;
    case rigd_link_Request_run_case_tag:
      serve_run(&request.body.run_case);
      break;
    case rigd_link_Request_memory_tag:
      serve_memory();
      break;
    case rigd_link_Request_reset_tag:
      send_status(rigd_link_Status_Code_OK, "");
      hal_reset();
    default:
      send_status(rigd_link_Status_Code_BAD_REQUEST, "a request this firmware does not know");
      break;
  }
}
