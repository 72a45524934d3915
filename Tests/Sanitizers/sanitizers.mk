# The C tests against libskan built with a sanitizer: plain Swift, since Embedded Swift has none. The whole library goes
# into the test program, so that nothing escapes the sanitizer.
#   check-core-sanitizers        both, the threads in a short form
#   check-thread-sanitizer-full  8 threads with 100 000 operations each
SANITIZED := $(BUILD)/Sanitizers

.PHONY: check-core-sanitizers check-address-sanitizer check-thread-sanitizer check-thread-sanitizer-full
check-core-sanitizers: check-address-sanitizer check-thread-sanitizer

check-address-sanitizer: $(addprefix $(SANITIZED)/address/,vectors contract faults)
	$(SANITIZED)/address/vectors $(CHECK_VECTORS)
	$(SANITIZED)/address/contract
	$(SANITIZED)/address/faults

check-thread-sanitizer: $(SANITIZED)/thread/threads
	TSAN_OPTIONS=halt_on_error=1 $< 2000

check-thread-sanitizer-full: $(SANITIZED)/thread/threads
	TSAN_OPTIONS=halt_on_error=1 $< 100000 8 50

# $(1): address or thread
define sanitized_library
$(SANITIZED)/$(1)/library.rsp: $(SOURCES)
	$(SWIFT) build -c release --sanitize=$(1) --scratch-path .build/$(1) --target SKANLibrary
	mkdir -p $$(@D)
	printf '%s\n' $(call objects,.build/$(1),$(MODULES)) > $$@

$(SANITIZED)/$(1)/%.o: Tests/C/%.c $(CHECK_HEADERS)
	mkdir -p $$(@D)
	clang $(CHECK_CFLAGS) -fsanitize=$(1) -c -o $$@ $$<
endef
$(foreach sanitizer,address thread,$(eval $(call sanitized_library,$(sanitizer))))

SANITIZED_LINK = swiftc -use-ld=lld -sanitize=$(notdir $(@D)) -o $@ $(filter %.o,$^) @$(@D)/library.rsp -ljson-c -lm

$(SANITIZED)/address/vectors: $(addprefix $(SANITIZED)/address/,library.rsp vectors.o trace.o host.o support.o)
	$(SANITIZED_LINK)

$(SANITIZED)/address/contract: $(addprefix $(SANITIZED)/address/,library.rsp contract.o contract_arguments.o \
		contract_structs.o contract_hooks.o contract_rules.o contract_records.o \
		contract_many.o contract_endpoint.o functions.o host.o support.o)
	$(SANITIZED_LINK)

$(SANITIZED)/address/faults: $(addprefix $(SANITIZED)/address/,library.rsp faults.o functions.o host.o support.o)
	$(SANITIZED_LINK)

$(SANITIZED)/thread/threads: $(addprefix $(SANITIZED)/thread/,library.rsp threads.o host.o)
	$(SANITIZED_LINK)
