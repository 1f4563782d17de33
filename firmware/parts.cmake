# What every build of the firmware is made of, be it an image or the tests of this PC. Needs MBEDTLS_ROOT and
# NANOPB_ROOT; gives lists of sources (firmware_core, _crypto: ours; _messages, _mbedtls: generated or fetched),
# include folders (firmware_includes, firmware_foreign_includes) and firmware_definitions.
set(firmware ${CMAKE_CURRENT_LIST_DIR})

file(GLOB firmware_core CONFIGURE_DEPENDS ${firmware}/core/*.c)
file(GLOB firmware_crypto CONFIGURE_DEPENDS ${firmware}/crypto/*.c ${firmware}/crypto/*/*.c)

set(firmware_mbedtls)
foreach(file aes ccm chacha20 cipher cipher_wrap constant_time gcm platform platform_util sha256)
  list(APPEND firmware_mbedtls ${MBEDTLS_ROOT}/library/${file}.c)
endforeach()

# Device messages. The generator is Debian's, the runtime is fetched: Debian ships no C sources.
set(firmware_generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
set(link_folder ${firmware}/../proto/link)
add_custom_command(
  OUTPUT ${firmware_generated}/link.pb.c ${firmware_generated}/link.pb.h
  COMMAND nanopb_generator.py --quiet -I ${link_folder} -D ${firmware_generated} link.proto
  DEPENDS ${link_folder}/link.proto ${link_folder}/link.options
  COMMENT "Device messages for the firmware"
  VERBATIM)
set(firmware_messages ${firmware_generated}/link.pb.c)
foreach(file common encode decode)
  list(APPEND firmware_messages ${NANOPB_ROOT}/pb_${file}.c)
endforeach()

set(firmware_includes ${firmware})
set(firmware_foreign_includes ${firmware_generated} ${NANOPB_ROOT} ${MBEDTLS_ROOT}/include)
set(firmware_definitions MBEDTLS_CONFIG_FILE="crypto/mbedtls/config.h" PB_FIELD_32BIT=1)
