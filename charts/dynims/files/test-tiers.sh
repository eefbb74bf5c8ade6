# What `helm test` runs with bash in the controller's image, which has no HTTP client.
# CONTROLLER: HOST:PORT. TOKEN_FILE: empty, or a file with the token that REST asks for. RESIZE: true if the node of the first tier gets a hint,
# as a job would give it, for as long as the test takes; that needs the token. WAIT_SECONDS: how long what is wrong may take to become right.
set -euo pipefail

: "${WAIT_SECONDS:=60}"
# As kubectl dynims doctor does: the verdict, what was looked at, and what was seen.
line() {
  report+=$(printf '%-7s  %-10s  %s' "$1" "$2" "$3")$'\n'
  [ "$1" != error ] || failed=1
}

# usage: ask METHOD PATH [BODY], which sets $status and $body.
ask() {
  local token='' answer=''
  [ -z "$TOKEN_FILE" ] || read -r token <"$TOKEN_FILE" || [ -n "$token" ]
  status=none body="$CONTROLLER does not answer"
  { exec 3<>"/dev/tcp/${CONTROLLER%:*}/${CONTROLLER##*:}"; } 2>/dev/null || return 0
  printf '%s %s HTTP/1.0\r\nHost: %s\r\n' "$1" "$2" "$CONTROLLER" >&3
  [ -z "$token" ] || printf 'Authorization: Bearer %s\r\n' "$token" >&3
  printf 'Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' "${#3}" "${3:-}" >&3
  answer=$(cat <&3)
  exec 3>&-
  status=${answer%%$'\r'*} status=${status#* } status=${status%% *}
  body=${answer#*$'\r\n\r\n'}
}

ready() {
  ask GET /readyz ''
  if [ "$status" = 200 ]; then line ok controller "$CONTROLLER is ready"; else line error controller "$status: $body"; fi
}

policies() {
  ask GET /api/v1/policies ''
  if [ "$status" != 200 ]; then
    line error policies "$status: $body"
  elif [[ $body == *'"errors":[{'* ]]; then
    line error policies "some are refused; kubectl dynims policies lists them"
  else
    line ok policies "none is refused"
  fi
}

tiers() {
  local states bad
  ask GET /api/v1/tiers ''
  if [ "$status" != 200 ] || [[ $body != '{"tiers":'* ]]; then
    line error tiers "$status: $body"
    return
  fi
  # NODE TIER STATE of each.
  states=$(grep -oE '"node":"[^"]*","tier":"[^"]*","mode":[^{}]*"state":"[A-Za-z]*"' <<<"$body" |
    sed -E 's/"node":"([^"]*)","tier":"([^"]*)",.*"state":"([A-Za-z]*)"/\1 \2 \3/') || true
  if [ -z "$states" ]; then
    line warning tiers "there is no tier yet: write a MemoryTier"
    return
  fi
  bad=$(grep -E ' (Unreachable|Stale|Guarded)$' <<<"$states" | head -n 5 | paste -sd ';') || true
  if [ -n "$bad" ]; then
    line error tiers "$bad; kubectl dynims explain NODE says what to do"
  else
    line ok tiers "$(wc -l <<<"$states") answer:$(cut -d ' ' -f 3 <<<"$states" | sort | uniq -c | paste -sd ',' | tr -s ' ')"
  fi
  read -r node tier _ <<<"$states"
}

# The hint goes to the node's adapter, from it to the job, and comes back with the decision on the tier. What other jobs take
# just then counts as what was announced, so the hint is given anew every three seconds.
resize() {
  local bytes=67108864 attempt
  for attempt in {0..29}; do
    if [ $((attempt % 3)) = 0 ]; then
      ask POST /api/v1/hints "{\"node\":\"$node\",\"owner\":\"helm-test\",\"bytes\":$bytes}"
      if [ "$status" != 200 ]; then
        line error resize "$status: $body"
        return
      fi
    fi
    ask GET "/api/v1/tiers/$node?tier=$tier" ''
    [[ ! $body =~ \"hintedBytes\":[1-9] ]] || break
    sleep 1
  done
  if [[ $body =~ \"hintedBytes\":[1-9] ]]; then
    line ok resize "a job's hint of $bytes bytes is in a decision on $node $tier, after $attempt s"
  else
    line error resize "no decision on $node $tier has had a hint of $bytes bytes for $attempt s"
  fi
  ask DELETE "/api/v1/hints/$node/helm-test" ''
}

# A controller that has just been started or elected is ready a little later.
for ((second = 0; ; second++)); do
  failed=0 report='' node=''
  ready
  policies
  tiers
  [ $failed = 1 ] && [ $second -lt "$WAIT_SECONDS" ] || break
  sleep 1
done
[ "$RESIZE" != true ] || [ -z "$node" ] || resize
printf '%s' "$report"
exit $failed
