/// The range [min, max); nil means no bound.
struct WrittenRange<Number: Equatable>: Equatable {
    var min: Number?
    var max: Number?
}
