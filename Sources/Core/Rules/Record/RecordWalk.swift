/// A visitor of all parts of a record: the writer or the reader.
protocol RecordWalk {
    associatedtype Fault: Error
    mutating func pass<Part: RecordPart>(_ part: Part.Type, _ state: inout InstallState) throws(Fault)
    mutating func pass<Part: ConversionPart>(_ part: Part.Type, _ conversion: inout Conversion) throws(Fault)
}

extension RecordWalk {
    @inline(__always)
    mutating func passAll(_ state: inout InstallState) throws(Fault) {
        try passHeader(&state.conversion)
        try pass(TotalsPart.self, &state)
        try pass(EventsPart.self, &state)
        try pass(ModelPart.self, &state.conversion)
        try pass(RenamePart.self, &state)
        try pass(ReengagementsPart.self, &state)
        try pass(CountersPart.self, &state)
    }

    /// The lock times of the windows, which stand behind the header, are visited here, too.
    @inline(__always)
    private mutating func passHeader(_ conversion: inout Conversion) throws(Fault) {
        try pass(RegistrationPart.self, &conversion)
        try pass(FinePart.self, &conversion)
        try pass(UpdatePart.self, &conversion)
        try pass(WindowsPart.self, &conversion)
    }
}

extension RecordWriter: RecordWalk {
    @inline(__always)
    mutating func pass<Part: RecordPart>(_ part: Part.Type, _ state: inout InstallState) {
        Part.write(&state, to: &self)
    }

    @inline(__always)
    mutating func pass<Part: ConversionPart>(_ part: Part.Type, _ conversion: inout Conversion) {
        Part.write(&conversion, to: &self)
    }
}

extension RecordReader: RecordWalk {
    @inline(__always)
    mutating func pass<Part: RecordPart>(_ part: Part.Type, _ state: inout InstallState) throws(Failure) {
        try Part.read(&self, into: &state)
    }

    @inline(__always)
    mutating func pass<Part: ConversionPart>(_ part: Part.Type, _ conversion: inout Conversion) throws(Failure) {
        try Part.read(&self, into: &conversion)
    }
}
