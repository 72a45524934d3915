// This module has no code. It is built on all that `make install` installs, so that make has SwiftPM plan and build all
// of it at once, on all processors.
