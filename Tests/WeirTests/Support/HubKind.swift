@testable import Weir

/// The hubs of subjects, by what they replay.
enum HubKind: CaseIterable {
  case plain, latest, history

  func make() -> Multicaster<Int, Never> {
    switch self {
    case .plain: Multicaster("Plain")
    case .latest: Multicaster("Latest", replaying: 0)
    case .history: Multicaster("History", keeping: 1)
    }
  }
}
