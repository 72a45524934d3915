import SKANCore
import SKANSystem

enum UnpackingFault: Error {
    case damaged, tooLarge
}

/// Unpacks a gzip body (RFC 1952) of one or more members. Always allocates `limit` bytes, however large the unpacked
/// body is.
func unpackedBody(_ packed: Bytes, atMost limit: Int) throws(UnpackingFault) -> [UInt8] {
    var fault: UnpackingFault?
    let unpacked = [UInt8](unsafeUninitializedCapacity: limit) { memory, count in
        var unpacking = BodyUnpacking(rest: packed, memory: UnsafeMutableRawBufferPointer(memory))
        do throws(UnpackingFault) { try unpacking.readAll() } catch { fault = error }
        count = unpacking.count
    }
    if let fault { throw fault }
    return unpacked
}

extension GzipMember {
    static func begins(_ body: Bytes) -> Bool { body.starts(with: magic) }
}

private struct BodyUnpacking {
    var rest: Bytes
    let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    mutating func readAll() throws(UnpackingFault) {
        let member = GzipMember()
        repeat { try read(member) } while GzipMember.begins(rest)
        // As in files, only zeros may follow the last member.
        guard rest.allSatisfy({ $0 == 0 }) else { throw .damaged }
    }

    private mutating func read(_ member: GzipMember) throws(UnpackingFault) {
        do throws(Failure) { try member.begin() } catch { throw .damaged }
        while true {
            let step: GzipMember.Step
            do throws(Failure) { step = try member.step(rest) } catch { throw .damaged }
            rest = Bytes(rebasing: rest.dropFirst(step.used))
            guard step.unpacked.count <= memory.count - count else { throw .tooLarge }
            UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: step.unpacked)
            count += step.unpacked.count
            if step.isEnd { return }
            if step.used == 0 && step.unpacked.isEmpty { throw .damaged }
        }
    }
}
