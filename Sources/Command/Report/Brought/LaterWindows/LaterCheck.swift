internal import SKANCore

/// What a window after the first told of some lines, beside what own installs let expect.
struct LaterCheck {
    let window: Window
    let kind: LaterKind
    /// How many tell of it.
    let installs: Double
    let told: Double
    let expected: Double
    /// So many standard deviations lie between them.
    let deviations: Double

    /// The fewest that something is said of.
    static var fewest: Double { 20 }
    var ratio: Double { told / expected }
}
