import Foundation

/// The seconds for which this thread keeps a processor busy while it runs the body. Waiting for a processor is not in
/// them, so they are about the same on a machine that does other work, too.
func processorSeconds(_ body: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    let begin = now()
    body()
    return now() - begin
}
