/// A part of the state, with the functions that write it to a record and read it from one.
protocol RecordPart {
    static func write(_ state: inout InstallState, to record: inout RecordWriter)
    static func read(_ record: inout RecordReader, into state: inout InstallState) throws(Failure)
}

/// A part of the install's own conversion, with the functions that write and read it.
protocol ConversionPart {
    static func write(_ conversion: inout Conversion, to record: inout RecordWriter)
    static func read(_ record: inout RecordReader, into conversion: inout Conversion) throws(Failure)
}
