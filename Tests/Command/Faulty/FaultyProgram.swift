import SKANCommand
import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem

/// The command skan, with accidents in SQLite stores.
@_cdecl("main")
public func main(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    var description = StoreKind.sqlite.description
    description.canList = !Accidents.isDue("list-none")
    let faulty = StoreKind(description) { url, use, report throws(StoreRefusal) in
        let real = try StoreKind.sqlite.open(url, use) { _ in }
        let pool = PoolSettings(name: "faulty", limit: 1, timeoutMilliseconds: 1000, hasOneWriter: false)
        do throws(Failure) {
            return try FaultyStore(pool, real, report: report)
        } catch {
            throw StoreRefusal(error.message, .found)
        }
    }
    StoreKind.known = [faulty] + StoreKind.known.dropFirst()
    return runCommand(UnsafeBufferPointer(start: words, count: Int(count)))
}
