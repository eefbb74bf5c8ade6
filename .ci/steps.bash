# What .ci/run and .ci/full are made of: parts, which are scripts in .ci/parts, run one after the other. A part that fails does not
# keep the others from running. The last lines list every part with its seconds, and everything that was skipped.
# shellcheck shell=bash
set -euo pipefail

export CI=true
ci=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
cd "$ci/.."
times=${DYNIMS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dynims}/times/ci.tsv
logs=$(mktemp -d "${TMPDIR:-/tmp}/dynims-ci.XXXXXX")
listed=() failed=() skipped=() refused=()

say() { printf '\n== %s  %s\n' "$(date -u +%T)" "$*"; }

# What must not outlive a run: mounts, network namespaces, and programs of this tree.
traces() {
  # The mount itself is made by the first namespace ever, and stays.
  findmnt --raw --noheadings --output TARGET | grep -vx /run/netns
  ls /run/netns 2>/dev/null || true
  pgrep --full --list-full "^[^ ]*java .*$PWD/" || true
}

# step PART: runs it with its output in a log. Shows the lines that match the pattern in its header as they come and, if it fails,
# the end of the log. What it does not test it reports in lines of the form `SKIPPED needs NAME: reason`.
step() {
  local part=$1 begin=$SECONDS codes=(0) pattern seconds last
  pattern=$(sed -n 's/^# shows: //p' "$ci/parts/$part")
  say "$part"
  "$ci/parts/$part" 2>&1 </dev/null | tee "$logs/$part" | { grep --line-buffered -E "^SKIPPED|${pattern:-.}" || true; } || codes=("${PIPESTATUS[@]}")
  seconds=$((SECONDS - begin))
  last=$(awk -F'\t' -v part="$part" '$1 == part { print $2 }' "$times" 2>/dev/null || true)
  listed+=("$(printf '%7d %7s  %s' "$seconds" "${last:--}" "$part")")
  if [ "${codes[0]}" -ne 0 ]; then
    failed+=("$part")
    say "$part FAILED with ${codes[0]} after $seconds s; the end of its log:"
    tail -n 80 "$logs/$part"
  else
    keep_time "$part" "$seconds"
    say "$part passed in $seconds s"
  fi
  note_skips "$part"
}

# record PART SECONDS: that it passed at this commit.
record() {
  mkdir -p "$ci/records"
  printf '%s %s %s\n' "$(git rev-parse --short=12 HEAD)" "$(date -u +%F)" "$2" >"$ci/records/$1"
}

keep_time() {
  mkdir -p "$(dirname "$times")"
  touch "$times"
  awk -F'\t' -v part="$1" '$1 != part' "$times" >"$times.new"
  printf '%s\t%s\n' "$1" "$2" >>"$times.new"
  mv "$times.new" "$times"
}

# Takes note of what a part skipped, and of what this machine could have tested.
note_skips() {
  local line name
  while IFS= read -r line; do
    skipped+=("$1: ${line#SKIPPED }")
    name=$(sed -nE 's/^SKIPPED needs ([a-z0-9-]+): .*/\1/p' <<<"$line")
    if ! "$ci/skips" "${name:-none}" >/dev/null 2>&1; then
      refused+=("$1: ${line#SKIPPED }")
    fi
  done < <(grep '^SKIPPED' "$logs/$1" || true)
}

# What a run has left behind is a failure of its own.
check_traces() {
  local left
  left=$(traces | sort | comm -13 "$logs/traces" -)
  [ -n "$left" ] || return 0
  say "left behind:"
  echo "$left"
  failed+=("left behind: $(wc -l <<<"$left")")
}

# The last lines, and the exit code: 0 if no part failed and nothing was skipped without a permitted reason.
finish() {
  local status=$?
  trap '' INT TERM
  check_traces
  rm -rf "$logs"
  printf '\nseconds    last  part\n'
  printf '%s\n' "${listed[@]}"
  [ ${#skipped[@]} -eq 0 ] || printf 'skipped: %s\n' "${skipped[@]}"
  [ ${#refused[@]} -eq 0 ] || printf 'skipped without a permitted reason (.ci/allowed-skips): %s\n' "${refused[@]}"
  if [ "$status" -eq 0 ] && { [ ${#failed[@]} -gt 0 ] || [ ${#refused[@]} -gt 0 ]; }; then
    status=1
  fi
  if [ "$status" -eq 0 ]; then
    printf 'passed in %d min\n' $((SECONDS / 60))
  else
    printf 'FAILED after %d min: %s\n' $((SECONDS / 60)) "${failed[*]:-see above}"
  fi
  exit "$status"
}
traces | sort >"$logs/traces"
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
