import SKAN
import Synchronization

/// An endpoint that a test plays: it answers what it is told, and remembers what it was asked.
final class Endpoint: Sendable {
    private let state = Mutex((answer: [UInt8](), urls: [String]()))

    init(_ answer: String = #"{"conversion_value":1,"status":"ok"}"#) { self.answer = Array(answer.utf8) }

    var answer: [UInt8] {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }

    var urls: [String] { state.withLock { $0.urls } }

    var transport: Engine.Transport {
        { url in
            self.state.withLock {
                $0.urls.append(url)
                return $0.answer
            }
        }
    }
}
