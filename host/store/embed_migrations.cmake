# cmake -DOUT=migrations.cpp -DFILES=0001_a.sql,0002_b.sql -P embed_migrations.cmake
# Turns the migrations into string literals. They are numbered 0001, 0002 ... without a hole.
string(REPLACE "," ";" files "${FILES}")
set(number 0)
set(entries "")
foreach(file ${files})
  math(EXPR number "${number} + 1")
  get_filename_component(name ${file} NAME)
  if(NOT name MATCHES "^0*${number}_[a-z0-9_]+\\.sql$" OR NOT name MATCHES "^[0-9][0-9][0-9][0-9]_")
    message(FATAL_ERROR "db/migrations: ${name} should be number ${number} (NNNN_name.sql, without a hole)")
  endif()
  file(READ ${file} sql)
  string(APPEND entries "    R\"sql(${sql})sql\",\n")
endforeach()
file(WRITE ${OUT} "// Generated from db/migrations.
#include \"store/schema.hpp\"

#include <array>

namespace rigd::store {

std::span<const std::string_view> migrations() {
  static constexpr std::array<std::string_view, ${number}> all = {
${entries}  };
  return all;
}

}  // namespace rigd::store
")
