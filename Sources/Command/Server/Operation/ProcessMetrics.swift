import CSKANSystem
import SKANCore
import SKANSystem

/// Metrics of the process, under the names that Prometheus' client libraries use. A value that the system does not
/// provide is left out.
struct ProcessMetrics {
    /// The start of the process, in Unix seconds.
    let start: Int64

    func write(to text: inout ByteBuffer) {
        text.appendFamily("process_start_time_seconds", "gauge", "When the server was started, Unix seconds.")
        text.append(line: "process_start_time_seconds \(start)\n")
        writeProcessorTime(to: &text)
        writeMemory(to: &text)
        writeFiles(to: &text)
    }

    private func writeProcessorTime(to text: inout ByteBuffer) {
        var used = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &used) == 0 else { return }
        text.appendFamily("process_cpu_seconds_total", "counter", "Processor time of the process, of user and system.")
        text.append(line: "process_cpu_seconds_total ")
        text.append(seconds: microseconds(used.ru_utime) + microseconds(used.ru_stime))
        text.append(line: "\n")
    }

    /// Reads the first two numbers of /proc/self/statm: the pages of the address space, and the pages in memory.
    private func writeMemory(to text: inout ByteBuffer) {
        guard let file = fopen("/proc/self/statm", "re") else { return }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return }
        let fields = line.map { UInt8(bitPattern: $0) }.split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let all = wholeNumber(ofDigits: fields[0]),
            let resident = wholeNumber(ofDigits: fields[1])
        else { return }
        let page = Int64(sysconf(Int32(_SC_PAGESIZE)))
        text.appendFamily("process_virtual_memory_bytes", "gauge", "The size of the address space.")
        text.append(line: "process_virtual_memory_bytes \(all &* page)\n")
        text.appendFamily(
            "process_resident_memory_bytes", "gauge", "Memory that the process has, without what is swapped.")
        text.append(line: "process_resident_memory_bytes \(resident &* page)\n")
    }

    private func writeFiles(to text: inout ByteBuffer) {
        if let open = openFiles {
            text.appendFamily("process_open_fds", "gauge", "Open files and sockets.")
            text.append(line: "process_open_fds \(open)\n")
        }
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        text.appendFamily("process_max_fds", "gauge", "How many files and sockets the process may open.")
        text.append(line: "process_max_fds \(UInt64(limit.rlim_cur))\n")
    }

    /// The number of open files: the entries of /proc/self/fd without ".", ".." and that folder itself, which is open
    /// while it is read.
    private var openFiles: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = -3
        while readdir(folder) != nil { count += 1 }
        return count
    }

    private func microseconds(_ time: timeval) -> UInt64 {
        UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_usec)
    }
}
