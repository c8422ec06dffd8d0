public import Weir

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Each property exists twice: with RxCocoa's name under `rx`, and with CombineCocoa's name on the control itself.

extension Reactive where Base: Button {
  /// The taps on the button.
  @MainActor
  public var tap: ControlEvent<Void> { controlEvent(.touchUpInside) }
}

extension Button {
  /// The taps on the button.
  public var tapPublisher: AnyPublisher<Void, Never> { rx.tap.asPublisher() }
}

extension Reactive where Base: TextControl {
  /// The text; setting `nil` sets an empty text.
  @MainActor
  public var text: ControlProperty<String?> {
    controlProperty(editingEvents: .editingChanged, getter: { $0.text }, setter: { $0.text = $1 ?? "" })
  }

  /// Sends when a person enters the control.
  @MainActor
  public var didBeginEditing: ControlEvent<Void> { controlEvent(.editingDidBegin) }

  /// Sends when a person leaves the control.
  @MainActor
  public var didEndEditing: ControlEvent<Void> { controlEvent(.editingDidEnd) }
}

extension TextControl {
  /// The text, now and after each change by a person.
  public var textPublisher: AnyPublisher<String?, Never> { rx.text.asPublisher() }

  /// Sends when a person enters the control.
  public var didBeginEditingPublisher: AnyPublisher<Void, Never> { rx.didBeginEditing.asPublisher() }

  /// Sends when a person leaves the control.
  public var didEndEditingPublisher: AnyPublisher<Void, Never> { rx.didEndEditing.asPublisher() }
}

extension TextField {
  /// Sends when a person presses Return.
  public var returnPublisher: AnyPublisher<Void, Never> { rx.controlEvent(.editingDidEndOnExit).asPublisher() }
}

extension Reactive where Base: SearchField {
  /// Sends when a person starts a search.
  @MainActor
  public var searchButtonClicked: ControlEvent<Void> { controlEvent(.primaryActionTriggered) }

  /// Sends when a person cancels a search.
  @MainActor
  public var cancelButtonClicked: ControlEvent<Void> { controlEvent(.searchCancelled) }
}

extension SearchField {
  /// Sends when a person starts a search.
  public var searchButtonClickedPublisher: AnyPublisher<Void, Never> { rx.searchButtonClicked.asPublisher() }

  /// Sends when a person cancels a search.
  public var cancelButtonClickedPublisher: AnyPublisher<Void, Never> { rx.cancelButtonClicked.asPublisher() }
}

extension Reactive where Base: Switch {
  /// Whether the switch is on.
  @MainActor
  public var isOn: ControlProperty<Bool> {
    controlProperty(editingEvents: .valueChanged, getter: { $0.isOn }, setter: { $0.isOn = $1 })
  }
}

extension Switch {
  /// Whether the switch is on, now and after each change by a person.
  public var isOnPublisher: AnyPublisher<Bool, Never> { rx.isOn.asPublisher() }
}

extension Reactive where Base: Slider {
  /// The value.
  @MainActor
  public var value: ControlProperty<Float> {
    controlProperty(editingEvents: .valueChanged, getter: { $0.value }, setter: { $0.value = $1 })
  }
}

extension Slider {
  /// The value, now and after each change by a person.
  public var valuePublisher: AnyPublisher<Float, Never> { rx.value.asPublisher() }
}

extension Reactive where Base: Stepper {
  /// The value.
  @MainActor
  public var value: ControlProperty<Double> {
    controlProperty(editingEvents: .valueChanged, getter: { $0.value }, setter: { $0.value = $1 })
  }
}

extension Stepper {
  /// The value, now and after each change by a person.
  public var valuePublisher: AnyPublisher<Double, Never> { rx.value.asPublisher() }
}

extension Reactive where Base: SegmentedControl {
  /// The index of the selected segment.
  @MainActor
  public var selectedSegmentIndex: ControlProperty<Int> {
    controlProperty(
      editingEvents: .valueChanged, getter: { $0.selectedSegmentIndex }, setter: { $0.selectedSegmentIndex = $1 })
  }

  /// The index of the selected segment, with RxCocoa's other name.
  @MainActor
  public var value: ControlProperty<Int> { selectedSegmentIndex }
}

extension SegmentedControl {
  /// The index of the selected segment, now and after each change by a person.
  public var selectedSegmentIndexPublisher: AnyPublisher<Int, Never> { rx.selectedSegmentIndex.asPublisher() }
}

extension Reactive where Base: DatePicker {
  /// The date.
  @MainActor
  public var date: ControlProperty<Date> {
    controlProperty(editingEvents: .valueChanged, getter: { $0.date }, setter: { $0.date = $1 })
  }
}

extension DatePicker {
  /// The date, now and after each change by a person.
  public var datePublisher: AnyPublisher<Date, Never> { rx.date.asPublisher() }
}

extension Reactive where Base: PageControl {
  /// The index of the current page.
  @MainActor
  public var currentPage: ControlProperty<Int> {
    controlProperty(editingEvents: .valueChanged, getter: { $0.currentPage }, setter: { $0.currentPage = $1 })
  }
}

extension PageControl {
  /// The index of the current page, now and after each change by a person.
  public var currentPagePublisher: AnyPublisher<Int, Never> { rx.currentPage.asPublisher() }
}

extension Reactive where Base: TableView {
  /// Sends when a person selects a row.
  @MainActor
  public var itemSelected: ControlEvent<IndexPath> { controlEvent(.rowSelected) { $0.changedRow } }

  /// Sends when a person deselects a row.
  @MainActor
  public var itemDeselected: ControlEvent<IndexPath> { controlEvent(.rowDeselected) { $0.changedRow } }
}

extension TableView {
  /// Sends when a person selects a row.
  public var didSelectRowPublisher: AnyPublisher<IndexPath, Never> { rx.itemSelected.asPublisher() }

  /// Sends when a person deselects a row.
  public var didDeselectRowPublisher: AnyPublisher<IndexPath, Never> { rx.itemDeselected.asPublisher() }
}
