// What remembers where it was assembled, for whoever traces it.
public import Foundation
public import Weir

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension NotificationCenter.Publisher: Assembled {}
extension Timer.TimerPublisher: Assembled {}
extension URLSession.DataTaskPublisher: Assembled {}
