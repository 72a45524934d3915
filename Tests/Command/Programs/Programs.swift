// This module has no code. It is built on all that is installed and on the programs of the command's tests, so that make has
// SwiftPM plan and build all of it at once, on all processors.
