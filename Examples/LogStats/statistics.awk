# What LogStats --tsv prints, by the usual means. It takes times to be in UTC, and quotation marks to be escaped in the
# agent only, as they are in what LogStats --generate writes.
BEGIN {
  FS = "\""
  split("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", names, " ")
  for (i in names) month[names[i]] = sprintf("%02d", i)
}
{
  # 1: host, identity, user, time; 2: request; 3: status and size; 4 to 7: referer, agent.
  bracket = index($1, " [") + 1
  if (bracket == 1 || (NF == 3 ? $3 ~ / $/ : NF < 7) || split($3, answer, " ") != 2 ||
      answer[1] !~ /^[1-5][0-9][0-9]$/ || answer[2] !~ /^([0-9]+|-)$/) {
    if (++malformed <= 5) lines[malformed] = FNR
    next
  }
  requests++
  bytes += answer[2]
  status[substr(answer[1], 1, 1)]++
  parts = split($2, request, " ")
  path = parts > 1 ? request[2] : $2
  query = index(path, "?")
  if (query) path = substr(path, 1, query - 1)
  paths[path]++
  hosts[substr($1, 1, index($1, " ") - 1)]++
  hour = substr($1, bracket + 1, 14)
  hours[hour]++
  hourBytes[hour] += answer[2]
  if (answer[1] >= 400) hourErrors[hour]++
}
END {
  printf "requests\t%.0f\nbytes\t%.0f\nmalformed\t%.0f\n", requests, bytes, malformed
  for (i = 1; i <= 5 && i <= malformed; i++) printf "malformed line\t%.0f\n", lines[i]
  for (i = 1; i <= 5; i++) if (i in status) printf "status\t%dxx\t%.0f\n", i, status[i]
  fflush()
  top("path", paths)
  top("host", hosts)
  sorted = "sort"
  for (hour in hours) {
    date = substr(hour, 8, 4) "-" month[substr(hour, 4, 3)] "-" substr(hour, 1, 2)
    printf "hour\t%s %s:00\t%.0f\t%.0f\t%.0f\n", date, substr(hour, 13, 2), hours[hour], hourErrors[hour], \
      hourBytes[hour] | sorted
  }
  close(sorted)
}
function top(name, counts,   key, sorted) {
  sorted = "sort -t '\t' -k 3,3nr -k 2,2 | head -n 10"
  for (key in counts) printf "%s\t%s\t%.0f\n", name, key, counts[key] | sorted
  close(sorted)
}
