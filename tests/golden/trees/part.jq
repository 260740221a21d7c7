[.runs[] | {id, file, state, found,
  metrics: [.metrics[] | {name, unit, stated, recomputed, tolerance, ok, source, derivation, reason}],
  findings: [.findings[] | {rule, severity, file, line, message, stated, expected}],
  evidence}]
