import SKANCore

/// The coarse values of an install in windows 1 and 2; unknown for a window that has not ended yet.
struct LaterState {
    /// The values of both windows as one number below `count`.
    let code: Int

    static var count: Int { Told.count * Told.count }
    static var all: [LaterState] { (0..<count).map(LaterState.init(code:)) }
    /// The state of an install that is too young for both windows.
    static var unknown: LaterState { LaterState(code: 0) }

    /// The value of an install in one window.
    enum Told: Int {
        case unknown, nothing, low, medium, high

        static var count: Int { 5 }

        /// 0 for no value, 1 to 3 for a coarse value; nil if the window has not ended.
        var level: Int? { self == .unknown ? nil : rawValue - 1 }
    }

    init(code: Int) { self.code = code }

    init(_ install: borrowing InstallState, age: Int64) {
        func told(_ window: Window) -> Told {
            guard age >= window.days.upperBound * Day.seconds else { return .unknown }
            guard let coarse = install.conversion.windows[window].coarse else { return .nothing }
            return Told(rawValue: Told.low.rawValue + Int(min(coarse, 2))) ?? .high
        }
        code = told(.second).rawValue * Told.count + told(.third).rawValue
    }

    subscript(window: Window) -> Told {
        Told(rawValue: window == .third ? code % Told.count : code / Told.count) ?? .unknown
    }
}

typealias PerLaterState<Value> = InlineArray<25, Value>

extension Window {
    static var later: [Window] { [.second, .third] }
}
