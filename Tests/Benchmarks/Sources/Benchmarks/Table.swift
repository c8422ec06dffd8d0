/// A table as text, its columns aligned, that is Markdown too.
struct Table {
  let header: [String]
  var rows: [[String]] = []

  var text: String {
    let lines = [header] + rows
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    // Words to the left, numbers to the right: a column of numbers has one, or a dash, in every row.
    let isNumeric = header.indices.map { column in
      rows.allSatisfy { $0[column].first.map { "0123456789–".contains($0) } ?? true }
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - cells[column].count)
        return isNumeric[column] ? padding + cells[column] : cells[column] + padding
      }
      return "| " + padded.joined(separator: " | ") + " |"
    }
    let rule = header.indices.map { column in
      String(repeating: "-", count: widths[column] + 1) + (isNumeric[column] ? ":" : "-")
    }
    return ([line(header), "|" + rule.joined(separator: "|") + "|"] + rows.map(line)).joined(separator: "\n")
  }
}

extension Table {
  /// The results, in nanoseconds for each operation.
  init(_ results: [Outcome]) {
    let dash = "–"
    header =
      ["", "workload", "limit", "Weir"] + Contender.peers.map(\.rawValue)
      + ["Weir/limit", "best peer/Weir", "bound", "reached"]
    for result in results {
      let peers = Contender.peers.map { result[$0]?.median.short ?? dash }
      rows.append(
        [result.name, result.title, result[.limit]?.median.short ?? dash, result[.weir]?.median.short ?? dash] + peers
          + [
            result.weirToLimit?.short ?? dash, result.bestPeerToWeir?.short ?? dash, result.bound,
            result.verdict.rawValue,
          ])
    }
  }

  /// How many blocks each operation allocates.
  init(allocationsOf results: [Outcome]) {
    let contenders = Contender.allCases.filter { contender in results.contains { $0[contender] != nil } }
    header = ["", "allocations for each operation"] + contenders.map(\.rawValue)
    for result in results where result.measurements.values.contains(where: { $0.allocations != nil }) {
      rows.append(
        [result.name, result.title] + contenders.map { result[$0]?.allocations?.short ?? "–" })
    }
  }
}
