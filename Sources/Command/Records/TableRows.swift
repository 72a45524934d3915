internal import SKANCommandOutput
internal import SKANCore

/// Rows of a table: a label, and what stands behind it.
enum TableRow { static var labelWidth: Int { 17 } }

func printRow(_ label: StaticString, _ text: Message) {
    StandardOutput.line("\(padded("\(label)", to: TableRow.labelWidth))\(text)")
}
