// Publishers that record where they were assembled, for tracing.
public import Weir

extension TargetActionPublisher: AssemblyTraced {}
extension ControlPublisher: AssemblyTraced {}
extension GestureRecognizerPublisher: AssemblyTraced {}
extension ControlEvent: AssemblyTraced {}
extension ControlProperty: AssemblyTraced {}
