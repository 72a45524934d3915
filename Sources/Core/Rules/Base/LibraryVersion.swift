/// The version of the library and its command; the Makefile has it, too.
package var libraryVersion: StaticString { "0.1.0" }
