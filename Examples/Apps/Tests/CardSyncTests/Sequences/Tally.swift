/// What happened in sequences, for the report.
struct Tally {
  var sequences = 0
  var edits = 0
  var deletes = 0
  var undeletes = 0
  var choicesTakenBack = 0
  var kills = 0
  var clockJumps = 0
  var lostAnswers = 0
  var cuts = 0
  var repeats = 0
  var merges = 0
  var kept = 0
  var stillKept = 0

  var words: String {
    """
    \(sequences) sequences: \(edits) edits, \(deletes) deletes, \(undeletes) undone, \(choicesTakenBack) choices taken back, \(kills) kills, \
    \(clockJumps) clock jumps, \(lostAnswers) lost answers, \(cuts) cut requests, \(repeats) repeated requests, \
    \(merges) merges, \(kept) values kept (\(stillKept) at the end)
    """
  }
}

extension Tally {
  mutating func add(_ other: Tally) {
    for path in [
      \Tally.sequences, \.edits, \.deletes, \.undeletes, \.choicesTakenBack, \.kills,
      \.clockJumps, \.lostAnswers, \.cuts, \.repeats, \.merges, \.kept, \.stillKept,
    ] as [WritableKeyPath<Tally, Int>] {
      self[keyPath: path] += other[keyPath: path]
    }
  }
}
