public import Weir

// The publishers of this module that keep the rules of delivery, whatever a program does with them: subscribers need no
// guard before them. One that is missing here is slower, not less safe. (`SerialPublisherTests`)

extension ControlEvent: _SerialPublisher {}
extension ControlProperty: _SerialPublisher {}
extension ControlPublisher: _SerialPublisher {}
extension ControlReadings: _SerialPublisher {}
extension DelegatePublisher: _SerialPublisher {}
extension GestureRecognizerPublisher: _SerialPublisher {}
extension TargetActionPublisher: _SerialPublisher {}
