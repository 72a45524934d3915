# libFuzzer targets, with AddressSanitizer: the parts that read bytes from outside, and whole sequences of operations.
#   fuzz-replay               runs every target on its corpus
#   fuzz SECONDS=600          looks for new inputs, two targets at a time; they are merged into the corpora
#   fuzz-TARGET SECONDS=600   the same for one target
FUZZ := $(BUILD)/fuzz
SECONDS ?= 600

# fuzzer.TARGET = SOURCES | LIBRARIES
fuzzer.response = Fuzz/response.c
fuzzer.record = Fuzz/record.c
fuzzer.import = Fuzz/import.c
fuzzer.operations = Fuzz/operations.c
fuzzer.conversion_model = Fuzz/conversion_model.c
fuzzer.endpoint = Fuzz/endpoint.c
fuzzer.postback = Fuzz/postback.c Fuzz/postback_truth.c | postback
fuzzer.jws = Fuzz/jws.c Fuzz/postback_truth.c | postback
fuzzer.http_answer = Fuzz/http_answer.c | http -Xlinker --wrap=pthread_sigmask
rules-of-fuzzer = $(call KIND_PROGRAM,fuzz,$(1),$(2) Fuzz/fuzz.c Hosts/C/host.c,$(3))
FUZZ_TARGETS := $(patsubst fuzzer.%,%,$(filter fuzzer.%,$(.VARIABLES)))

task.fuzz-replay = $(addprefix $(FUZZ)/,$(FUZZ_TARGETS)) | @Tests/Fuzz/fuzz.sh replay $(FUZZ) $(FUZZ_TARGETS)
task.fuzz = | $$(MAKE) -j2 $(addprefix fuzz-,$(FUZZ_TARGETS)) SECONDS=$(SECONDS)
.PHONY: $(addprefix fuzz-,$(FUZZ_TARGETS))
$(addprefix fuzz-,$(FUZZ_TARGETS)): fuzz-%: $(FUZZ)/%
	Tests/Fuzz/fuzz.sh find $(FUZZ) $* $(SECONDS)
