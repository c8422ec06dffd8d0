import Weir
import WeirTesting

extension Catalogue {
  static let filtering = Family("Filtering") {
    Diagram("filter", ".filter { $0 % 2 == 0 }", demand: "2") {
      try $0.numbers("-1-2-3-4-5-6-|").filter { $0 % 2 == 0 }
    }
    Diagram("tryFilter", ".tryFilter(isEven)") { try $0.numbers("-1-2-3-0-5-|").tryFilter(isEven) }
    Diagram("ignoreOutput", ".ignoreOutput()", asking: true) { try $0.numbers("-1-2-3-|").ignoreOutput() }
    Diagram("removeDuplicates", ".removeDuplicates()") { try $0.numbers("-1-1-2-2-1-|").removeDuplicates() }
    Diagram("tryRemoveDuplicates", ".tryRemoveDuplicates(by: areSame)") {
      try $0.numbers("-1-1-2-0-3-|").tryRemoveDuplicates(by: areSame)
    }
    Diagram("replaceEmpty", ".replaceEmpty(with: 0)") { try $0.numbers("-----|").replaceEmpty(with: 0) }
  }
}
