// This module has no code. It depends on everything that `make install` installs, so that make builds all of it with
// one run of SwiftPM, on all processors.
