/// Why a call failed: an error status, and a message that says what was wrong, where, what was expected and what was
/// there. A server's reason is the message, unchanged.
package struct Failure: Error, Sendable {
    package let status: Status
    package let message: Message

    package init(_ status: Status, _ message: Message) {
        self.status = status
        self.message = message
    }
}
