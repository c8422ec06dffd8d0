/// An entry of a list that is sorted by number.
protocol Numbered {
  var number: Int { get }
}

extension RandomAccessCollection where Element: Numbered, Index == Int {
  /// Returns the index of the entry with a number, in a list that is sorted by number and begins with index 0.
  func index(of number: Int) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].number == number ? low : nil
  }
}
