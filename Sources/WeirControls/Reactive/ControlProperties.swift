public import Weir

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Each twice: as RxCocoa has it, under `rx`, and as CombineCocoa has it, on the control itself.

extension Reactive where Base: Button {
  /// A person taps the button.
  @MainActor
  public var tap: ControlEvent<Void> { controlEvent(.touchUpInside) }
}

extension Button {
  /// A person taps the button.
  public var tapPublisher: AnyPublisher<Void, Never> { rx.tap.asPublisher() }
}

extension Reactive where Base: TextControl {
  /// The text; `nil` sets an empty one.
  @MainActor
  public var text: ControlProperty<String?> {
    controlProperty(editingEvents: .editingChanged, getter: { $0.text }, setter: { $0.text = $1 ?? "" })
  }

  /// A person enters the control.
  @MainActor
  public var didBeginEditing: ControlEvent<Void> { controlEvent(.editingDidBegin) }

  /// A person leaves the control.
  @MainActor
  public var didEndEditing: ControlEvent<Void> { controlEvent(.editingDidEnd) }
}

extension TextControl {
  /// The text, and what a person makes of it.
  public var textPublisher: AnyPublisher<String?, Never> { rx.text.asPublisher() }

  /// A person enters the control.
  public var didBeginEditingPublisher: AnyPublisher<Void, Never> { rx.didBeginEditing.asPublisher() }

  /// A person leaves the control.
  public var didEndEditingPublisher: AnyPublisher<Void, Never> { rx.didEndEditing.asPublisher() }
}

extension TextField {
  /// A person presses Return.
  public var returnPublisher: AnyPublisher<Void, Never> { rx.controlEvent(.editingDidEndOnExit).asPublisher() }
}

extension Reactive where Base: SearchField {
  /// A person searches.
  @MainActor
  public var searchButtonClicked: ControlEvent<Void> { controlEvent(.primaryActionTriggered) }

  /// A person gives up searching.
  @MainActor
  public var cancelButtonClicked: ControlEvent<Void> { controlEvent(.searchCancelled) }
}

extension SearchField {
  /// A person searches.
  public var searchButtonClickedPublisher: AnyPublisher<Void, Never> { rx.searchButtonClicked.asPublisher() }

  /// A person gives up searching.
  public var cancelButtonClickedPublisher: AnyPublisher<Void, Never> { rx.cancelButtonClicked.asPublisher() }
}

extension Reactive where Base: Switch {
  /// Whether it is on.
  @MainActor
  public var isOn: ControlProperty<Bool> {
    controlProperty(editingEvents: .valueChanged, getter: { $0.isOn }, setter: { $0.isOn = $1 })
  }
}

extension Switch {
  /// Whether it is on, and what a person makes of it.
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
  /// The value, and what a person makes of it.
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
  /// The value, and what a person makes of it.
  public var valuePublisher: AnyPublisher<Double, Never> { rx.value.asPublisher() }
}

extension Reactive where Base: SegmentedControl {
  /// The segment that is selected.
  @MainActor
  public var selectedSegmentIndex: ControlProperty<Int> {
    controlProperty(
      editingEvents: .valueChanged, getter: { $0.selectedSegmentIndex }, setter: { $0.selectedSegmentIndex = $1 })
  }

  /// The segment that is selected, under RxCocoa's other name.
  @MainActor
  public var value: ControlProperty<Int> { selectedSegmentIndex }
}

extension SegmentedControl {
  /// The segment that is selected, and what a person makes of it.
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
  /// The date, and what a person makes of it.
  public var datePublisher: AnyPublisher<Date, Never> { rx.date.asPublisher() }
}

extension Reactive where Base: PageControl {
  /// The page that is seen.
  @MainActor
  public var currentPage: ControlProperty<Int> {
    controlProperty(editingEvents: .valueChanged, getter: { $0.currentPage }, setter: { $0.currentPage = $1 })
  }
}

extension PageControl {
  /// The page that is seen, and what a person makes of it.
  public var currentPagePublisher: AnyPublisher<Int, Never> { rx.currentPage.asPublisher() }
}

extension Reactive where Base: TableView {
  /// A person selects a row.
  @MainActor
  public var itemSelected: ControlEvent<IndexPath> { controlEvent(.rowSelected) { $0.changedRow } }

  /// A person deselects a row.
  @MainActor
  public var itemDeselected: ControlEvent<IndexPath> { controlEvent(.rowDeselected) { $0.changedRow } }
}

extension TableView {
  /// A person selects a row.
  public var didSelectRowPublisher: AnyPublisher<IndexPath, Never> { rx.itemSelected.asPublisher() }

  /// A person deselects a row.
  public var didDeselectRowPublisher: AnyPublisher<IndexPath, Never> { rx.itemDeselected.asPublisher() }
}
