import Testing

/// What `#expect` says, for loops of many rounds, where a macro takes most of the time.
func expect(
    _ holds: Bool, _ comment: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation
) {
    if !holds { Issue.record(Comment(rawValue: comment()), sourceLocation: sourceLocation) }
}
