import SKANCommandOutput
import SKANCommandServer
import SKANCore

/// The errors for options that have no effect without another one: those that only --postbacks uses.
func lonelyOptions(_ given: GivenLine<Serving>) -> [CommandEnd] {
    if given.options.has("postbacks") { return [] }
    let groups: [OptionGroup<Serving>] = [.postbacks, .received, .refused, .partners]
    return groups.flatMap { $0.names(of: given.values) }.filter { given.options.has($0) }.map { name in
        .usage(what: "--\(name)", why: "this option needs --postbacks")
    }
}
