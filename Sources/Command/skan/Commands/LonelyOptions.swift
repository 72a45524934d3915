import SKANCommandOutput
import SKANCommandServer
import SKANCore

/// Returns an error for each given option that has no effect because --postbacks is not given.
func lonelyOptions(_ given: GivenLine<Serving>) -> [CommandEnd] {
    if given.options.has("postbacks") { return [] }
    let groups: [OptionGroup<Serving>] = [.postbacks, .received, .refused, .partners]
    return groups.flatMap { $0.names(of: given.values) }.filter { given.options.has($0) }.map { name in
        .usage(what: "--\(name)", why: "this option needs --postbacks")
    }
}
