// What remembers where it was assembled, for whoever traces it.
public import Foundation
public import Weir

extension NotificationCenter.Publisher: Assembled {}
extension Timer.TimerPublisher: Assembled {}
extension URLSession.DataTaskPublisher: Assembled {}
