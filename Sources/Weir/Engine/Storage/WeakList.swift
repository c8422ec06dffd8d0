/// A list of elements that refer to objects weakly.
///
/// The elements of deallocated objects are removed each time the list has doubled, so an addition takes amortized
/// constant time.
package struct WeakList<Element> {
  /// What is released after an access to the list, because user code runs then: removed elements, and a reference to
  /// each object, because another thread can release its last one in the meantime.
  package struct Released {
    package fileprivate(set) var elements: [Element] = []
    fileprivate var objects: [AnyObject] = []
  }

  /// The elements, including some of deallocated objects.
  package private(set) var elements: [Element] = []

  /// The number of elements at which those of deallocated objects are removed next.
  private(set) var sweepCount = 16

  private let object: (Element) -> AnyObject?

  package init(of object: @escaping (Element) -> AnyObject?) {
    self.object = object
  }

  package mutating func append(_ element: Element) -> Released {
    var released = Released()
    if elements.count >= sweepCount {
      released = remove()
      sweepCount = max(16, 2 * elements.count)
    }
    elements.append(element)
    return released
  }

  /// Removes the elements of an object, and of those that have been deallocated.
  package mutating func remove(of removed: AnyObject? = nil) -> Released {
    var released = Released()
    var kept: [Element] = []
    for element in elements {
      let object = object(element)
      if let object { released.objects.append(object) }
      if object == nil || object === removed { released.elements.append(element) } else { kept.append(element) }
    }
    elements = kept
    return released
  }
}
