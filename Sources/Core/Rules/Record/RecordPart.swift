/// A part of the state: how it is written and read.
protocol RecordPart {
    static func write(_ state: inout InstallState, to record: inout RecordWriter)
    static func read(_ record: inout RecordReader, into state: inout InstallState) throws(Failure)
}

/// A part of one conversion, described by one header.
protocol ConversionPart {
    static func write(_ conversion: inout Conversion, to record: inout RecordWriter)
    static func read(_ record: inout RecordReader, into conversion: inout Conversion) throws(Failure)
}
