internal import SKANCore

/// What an install told in windows 1 and 2, as far as it is old enough.
struct LaterState {
    /// Two bits for each of the two windows.
    let code: Int

    static var count: Int { 16 }
    static var all: [LaterState] { (0..<count).map(LaterState.init(code:)) }
    /// The state of an install that is too young for both windows.
    static var unknown: LaterState { LaterState(code: 0) }

    enum Told: Int {
        case unknown, nothing, low, aboveLow

        var isValue: Bool { self == .low || self == .aboveLow }
    }

    init(code: Int) { self.code = code }

    init(_ install: borrowing InstallState, age: Int64) {
        var code = 0
        for window in Window.later where age >= window.days.upperBound * Day.seconds {
            let told: Told = install.windows[window].coarse.map { $0 > 0 ? .aboveLow : .low } ?? .nothing
            code |= told.rawValue << LaterState.shift(window)
        }
        self.code = code
    }

    subscript(window: Window) -> Told { Told(rawValue: code >> LaterState.shift(window) & 3) ?? .unknown }

    private static func shift(_ window: Window) -> Int { window == .third ? 2 : 0 }
}

extension Window {
    static var later: [Window] { [.second, .third] }
}
