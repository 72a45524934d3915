extension StoreKind {
    /// The kinds of stores that the command can open; this is the only list of them. Tests replace it before they open
    /// any.
    package nonisolated(unsafe) static var known: [StoreKind] = [.sqlite, .postgres, .redis]
}
