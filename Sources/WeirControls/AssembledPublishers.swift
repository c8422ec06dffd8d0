// Publishers that record where they were assembled, for tracing.
public import Weir

extension TargetActionPublisher: Assembled {}
extension ControlPublisher: Assembled {}
extension GestureRecognizerPublisher: Assembled {}
extension ControlEvent: Assembled {}
extension ControlProperty: Assembled {}
