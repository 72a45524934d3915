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
rules-of-fuzzer = $(call KIND_PROGRAM,fuzz,$(1),$(2) Fuzz/fuzz.c,$(3))
FUZZ_TARGETS := $(patsubst fuzzer.%,%,$(filter fuzzer.%,$(.VARIABLES)))

.PHONY: fuzz fuzz-replay $(addprefix fuzz-,$(FUZZ_TARGETS))

# libFuzzer tells of a trap itself; the Swift runtime's own report would keep the process from ending.
fuzz fuzz-replay $(addprefix fuzz-,$(FUZZ_TARGETS)): export SWIFT_BACKTRACE := enable=no

fuzz-replay: $(addprefix $(FUZZ)/,$(FUZZ_TARGETS))
	@passed=0; for target in $(FUZZ_TARGETS); do \
		$(FUZZ)/$$target -runs=0 Tests/Fuzz/Corpus/$$target > $(FUZZ)/$$target.log 2>&1 \
			|| { cat $(FUZZ)/$$target.log; echo "$$passed passed, 1 failed"; exit 1; }; \
		files=$$(ls Tests/Fuzz/Corpus/$$target | wc -l); echo "$$target: $$files inputs"; \
		test $$files -gt 0; passed=$$((passed + files)); \
	done; echo "$$passed passed, 0 failed"

fuzz:
	$(MAKE) -j2 $(addprefix fuzz-,$(FUZZ_TARGETS)) SECONDS=$(SECONDS)

# New inputs go to a folder of their own first; a small set that reaches the same code replaces the corpus.
$(addprefix fuzz-,$(FUZZ_TARGETS)): fuzz-%: $(FUZZ)/%
	mkdir -p $(FUZZ)/found/$* $(FUZZ)/merged/$* Tests/Fuzz/Corpus/$*
	$< -max_total_time=$(SECONDS) -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
		-artifact_prefix=$(FUZZ)/ $(if $(wildcard Tests/Fuzz/$*.dict),-dict=Tests/Fuzz/$*.dict) \
		$(FUZZ)/found/$* Tests/Fuzz/Corpus/$* > $(FUZZ)/$*.log 2>&1 || { tail -n 40 $(FUZZ)/$*.log; exit 1; }
	grep -E 'number_of_executed_units|average_exec_per_sec' $(FUZZ)/$*.log
	rm -f $(FUZZ)/merged/$*/*
	$< -set_cover_merge=1 -use_counters=0 -max_len=4096 $(FUZZ)/merged/$* Tests/Fuzz/Corpus/$* $(FUZZ)/found/$* \
		> $(FUZZ)/$*.merge.log 2>&1
	rm -f Tests/Fuzz/Corpus/$*/*
	cp $(FUZZ)/merged/$*/* Tests/Fuzz/Corpus/$*/
