import Foundation
public import Weir

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The publishers of this module that keep the rules of delivery, whatever a program does with them: subscribers need no
// guard before them. One that is missing here is slower, not less safe. (`SerialPublisherTests`)

extension NotificationCenter.Publisher: _SerialPublisher {}
extension Timer.TimerPublisher: _SerialPublisher {}
extension URLSession.DataTaskPublisher: _SerialPublisher {}
