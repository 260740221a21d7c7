[.runs[] | {
  id, state,
  metrics: [.metrics[] | {name, table, row, stated, recomputed, ok}],
  findings: [.findings[] | {rule, severity, line}],
  checks: ([.checks[] | {rule, outcome}] | unique)
}] | sort_by(.id)
