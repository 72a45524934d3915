import SKANCommandModels
import SKANCore
import Synchronization
import Testing

@testable import SKANCommandServer

private func model(_ id: String) throws -> ConversionModel {
    let document = #"{"schema":1,"id":"\#(id)","windows":[{"rules":[]},{"rules":[]},{"rules":[]}]}"#
    return try Array(document.utf8).withUnsafeBytes { try ConversionModel.read(json: $0) }
}

@Suite("The documents of models that networks read")
struct SchemaDocumentsTests {
    @Test("are made once for each model and network, however often they are read")
    func areMadeOnce() throws {
        let (one, other) = (try model("one"), try model("other"))
        let made = Mutex(0)
        let documents = SchemaDocuments { _, _ in
            made.withLock {
                $0 += 1
                return Array("\($0)".utf8)
            }
        }
        let (first, second) = (Array("first".utf8), Array("second".utf8))
        for _ in 0..<3 {
            #expect(documents.document(of: one, for: first, EventMap()).rows == Array("1".utf8))
            #expect(documents.document(of: one, for: second, EventMap()).rows == Array("2".utf8))
            #expect(documents.document(of: other, for: first, EventMap()).rows == Array("3".utf8))
        }
        #expect(made.withLock { $0 } == 3)
    }

    @Test("have the model's rows, and an ETag that is another one for another model")
    func haveRows() throws {
        let (one, other) = (try model("one"), try model("other"))
        let documents = SchemaDocuments()
        let read = documents.document(of: one, for: [], EventMap())
        #expect(read.rows == rowDocument(of: one, EventMap()).utf8)
        #expect(read.etag.utf8 != documents.document(of: other, for: [], EventMap()).etag.utf8)
    }
}
