extension StoreKind {
    /// The kinds of stores that the command opens; no other place lists them. A test puts its own in their place before
    /// it opens any.
    package nonisolated(unsafe) static var known: [StoreKind] = [.sqlite, .postgres, .redis]
}
