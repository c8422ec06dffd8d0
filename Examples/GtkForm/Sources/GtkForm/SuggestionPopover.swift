import CGtk4
import Weir
import WeirControls
import WeirGtk
import WeirRx

/// Suggests passwords of the length that a scale selects.
@MainActor
final class SuggestionPopover {
  /// The widget that opens the popover.
  let opener: Gtk.Widget

  /// The passwords that a person accepts.
  let used = PublishRelay<String>()

  /// A line for each change of state.
  var changes: some Publisher<String, Never> {
    popover.signal("map").map { "suggestions: open" }
      .merge(with: popover.signal("closed").map { "suggestions: closed" })
      .merge(with: length.dropFirst().map { "suggestions: of \($0)" })
  }

  private let popover: Gtk.Widget
  private let sample: Gtk.Label
  private let length = BehaviorRelay(16)
  private let suggestion = BehaviorRelay("")
  private let bag = DisposeBag()

  init(_ builder: Gtk.Builder) {
    (opener, popover, sample) = (builder["suggest"], builder["popover"], builder["suggestion"])
    let scale: Gtk.Scale = builder["length"]
    let use: Gtk.Button = builder["use"]
    (scale.rx.value.map(get: { Int($0.rounded()) }, set: Double.init) <-> length).store(in: bag)
    length.removeDuplicates().map(Self.password).bind(to: suggestion).store(in: bag)
    suggestion.bind(to: sample.rx.text).store(in: bag)
    use.rx.tap
      .sink { [unowned self] in
        gtk_popover_popdown(popover.pointer())
        used.accept(suggestion.value)
        // Each suggestion is used only once.
        suggestion.accept(Self.password(ofLength: length.value))
      }
      .store(in: bag)
  }

  /// Excludes letters and digits that look like others.
  private static func password(ofLength length: Int) -> String {
    let characters = Array("abcdefghijkmnpqrstuvwxyzACDEFGHJKLMNPQRTUVWXY34679")
    return String((0..<length).compactMap { _ in characters.randomElement() })
  }
}
