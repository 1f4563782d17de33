# Sourced by ci/demo and ci/test: says what is being done and how long it took; fails with one clear line.

started=$SECONDS
log_folder=${RIGD_CI_LOGS:-build/logs}
mkdir -p "$log_folder"

# step TITLE COMMAND...: output goes to a log; its tail is shown if the command fails.
step() {
  local title=$1 began=$SECONDS log
  shift
  log=$log_folder/$(tr -c 'a-z0-9\n' '-' <<<"${title,,}").log
  printf '[%4ds] %s ... ' "$((SECONDS - started))" "$title"
  if "$@" >"$log" 2>&1; then
    printf 'done in %ds\n' "$((SECONDS - began))"
  else
    local status=$?
    printf 'FAILED\n'
    tail -n 40 "$log" >&2
    printf '%s: "%s" failed with status %d; whole log: %s\n' "$(basename "$0")" "$title" "$status" "$log" >&2
    exit 1
  fi
}

# shown TITLE COMMAND...: the same, with the output on the screen.
shown() {
  local title=$1
  shift
  printf '[%4ds] %s\n' "$((SECONDS - started))" "$title"
  "$@" || {
    local status=$?
    printf '%s: "%s" failed with status %d\n' "$(basename "$0")" "$title" "$status" >&2
    exit "$status"
  }
}

# What every build needs on a fresh machine.
prepare() {
  step "Installing packages" ci/deps/install
  step "Fetching third-party sources" ci/sources/fetch
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  step "Configuring $preset" cmake --preset "$preset"
  step "Building $preset" cmake --build --preset "$preset" ${1:+--target "$@"}
}
