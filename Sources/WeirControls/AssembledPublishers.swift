// What remembers where it was assembled, for whoever traces it.
public import Weir

extension TargetActionPublisher: Assembled {}
extension ControlPublisher: Assembled {}
extension GestureRecognizerPublisher: Assembled {}
extension ControlEvent: Assembled {}
extension ControlProperty: Assembled {}
