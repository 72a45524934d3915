/// How likely something is that holds in some draws, by a part of each; never quite certain.
func drawnChance(_ drawn: [Double], holds: (Double) -> Double) -> Double {
    (drawn.reduce(0) { $0 + holds($1) } + 0.5) / Double(drawn.count + 1)
}
