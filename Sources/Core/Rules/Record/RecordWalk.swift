/// What goes through all parts: a writer, or a reader.
protocol RecordWalk {
    associatedtype Fault: Error
    mutating func pass<Part: RecordPart>(_ part: Part.Type, _ state: inout InstallState) throws(Fault)
}

extension RecordWalk {
    @inline(__always)
    mutating func passAll(_ state: inout InstallState) throws(Fault) {
        try pass(RegistrationPart.self, &state)
        try pass(FinePart.self, &state)
        try pass(UpdatePart.self, &state)
        try pass(WindowsPart.self, &state)
        try pass(TotalsPart.self, &state)
        try pass(EventsPart.self, &state)
        try pass(ModelPart.self, &state)
        try pass(CountersPart.self, &state)
    }
}

extension RecordWriter: RecordWalk {
    @inline(__always)
    mutating func pass<Part: RecordPart>(_ part: Part.Type, _ state: inout InstallState) {
        Part.write(&state, to: &self)
    }
}

extension RecordReader: RecordWalk {
    @inline(__always)
    mutating func pass<Part: RecordPart>(_ part: Part.Type, _ state: inout InstallState) throws(Failure) {
        try Part.read(&self, into: &state)
    }
}
