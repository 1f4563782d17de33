// fork and exec, nothing else: the part of Process that runs around the fork.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "io/fd.hpp"

namespace rigd::io {

struct Spawned {
  pid_t pid = -1;  // also its process group
  UniqueFd pidfd;
  UniqueFd out;  // read ends
  UniqueFd err;
};

// Returns when the child has executed its program, or with why it could not (spawn_failed).
Result<Spawned> spawn_child(const std::vector<std::string>& argv,
                            const std::vector<std::pair<std::string, std::string>>& env,
                            const std::string& cwd);

}  // namespace rigd::io
