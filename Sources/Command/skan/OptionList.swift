internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// Words and options as getopt_long reads them: it puts the words in another order, and keeps pointers to them.
final class OptionList {
    static var help: Int32 { Int32(UInt8(ascii: "h")) }
    static var unknown: Int32 { Int32(UInt8(ascii: "?")) }
    static var withoutValue: Int32 { Int32(UInt8(ascii: ":")) }
    /// The code of the first option; no letter has it.
    static var first: Int32 { 256 }

    private let arguments: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>
    private let options: UnsafeMutableBufferPointer<option>

    init(_ known: [CommandOption], _ words: [CText]) {
        arguments = .allocate(capacity: words.count + 1)
        arguments.initialize(repeating: nil)
        for (index, word) in words.enumerated() { arguments[index] = strdup(word.characters) }
        options = .allocate(capacity: known.count + 2)
        options.initialize(repeating: option())
        for (index, one) in known.enumerated() {
            options[index] = option(
                name: one.name.cString, has_arg: one.takesValue ? required_argument : no_argument, flag: nil,
                val: OptionList.first + Int32(index))
        }
        options[known.count] = option(
            name: ("help" as StaticString).cString, has_arg: no_argument, flag: nil, val: OptionList.help)
        system_begin_options()
    }

    deinit {
        for word in arguments { free(word) }
        arguments.deallocate()
        options.deallocate()
    }

    func next() -> system_option {
        system_next_option(Int32(arguments.count - 1), arguments.baseAddress, options.baseAddress)
    }

    func word(_ index: Int) -> Message { Message(arguments.indices.contains(index) ? arguments[index] : nil) }

    func words(from index: Int) -> [CText] {
        arguments.dropFirst(index).compactMap { $0.map { CText(copying: $0) } }
    }
}
