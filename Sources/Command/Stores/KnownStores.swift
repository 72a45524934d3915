extension StoreKind {
    /// The kinds of stores that the command can open. This is the only list of them. Tests replace the list before they
    /// open any store.
    package nonisolated(unsafe) static var known: [StoreKind] = [.sqlite, .postgres, .redis]
}
