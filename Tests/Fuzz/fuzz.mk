# libFuzzer targets, with AddressSanitizer: the parts that read bytes from outside, and whole sequences of operations.
#   fuzz-replay             runs every target on its corpus
#   fuzz SECONDS=600        looks for new inputs, two targets at a time; they are merged into the corpora
#   fuzz-TARGET SECONDS=600 the same for one target
FUZZ := $(BUILD)/Fuzz
FUZZ_TARGETS := response record import operations model conversion_model endpoint postback jws http_answer
SECONDS ?= 600

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

# With the checks of a debug build, of bounds above all.
FUZZ_FLAGS := -c release --sanitize=address -Xswiftc -sanitize=fuzzer -Xcc -fsanitize=fuzzer-no-link \
	-Xswiftc -Xfrontend -Xswiftc -assert-config -Xswiftc -Xfrontend -Xswiftc Debug --scratch-path .build/fuzz

$(FUZZ)/library.rsp: $(SOURCES)
	$(SWIFT) build $(FUZZ_FLAGS) --target SKANLibrary
	mkdir -p $(@D)
	printf '%s\n' $(call objects,.build/fuzz,$(MODULES)) > $@

$(FUZZ)/http.rsp: $(http_SOURCES)
	$(SWIFT) build $(FUZZ_FLAGS) --target SKANHTTPLibrary
	mkdir -p $(@D)
	printf '%s\n' $(call objects,.build/fuzz,$(http_MODULES)) > $@

$(FUZZ)/%.o: Tests/Fuzz/%.c $(wildcard Tests/Fuzz/*.h) $(CHECK_HEADERS)
	mkdir -p $(@D)
	clang $(CHECK_CFLAGS) -fsanitize=address,fuzzer-no-link -c -o $@ $<

# What a companion has of the core is libskan's, too.
$(addprefix $(FUZZ)/,$(FUZZ_TARGETS)): $(FUZZ)/%: $(FUZZ)/%.o $(FUZZ)/fuzz.o $(FUZZ)/library.rsp
	sort -u $(filter %.rsp,$^) > $@.rsp
	swiftc -use-ld=lld -sanitize=fuzzer,address -Xlinker --wrap=support_pause -o $@ $(filter %.o,$^) \
		@$@.rsp -ljson-c -lm $(if $(filter %/postback %/jws,$@),-lcrypto) \
		$(if $(filter %/http_answer,$@),-lcurl -Xlinker --wrap=pthread_sigmask)

$(FUZZ)/model: $(FUZZ)/install_model.o

# Postbacks' own modules are built for them too.
$(FUZZ)/postbacks.rsp: $(FUZZ)/library.rsp $(postback_SOURCES)
	$(SWIFT) build $(FUZZ_FLAGS) --target SKANPostbackLibrary
	printf '%s\n' $(call objects,.build/fuzz,$(filter-out $(MODULES),$(postback_MODULES))) > $@

$(FUZZ)/http_answer.o: $(CHECKS)/include/skan/http.h
$(FUZZ)/http_answer: $(FUZZ)/http.rsp

$(FUZZ)/postback.o $(FUZZ)/jws.o $(FUZZ)/postback_truth.o: $(CHECKS)/include/skan/postback.h
$(FUZZ)/postback $(FUZZ)/jws: $(FUZZ)/postback_truth.o $(FUZZ)/postbacks.rsp
