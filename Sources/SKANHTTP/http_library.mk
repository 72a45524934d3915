# libskan-http: the HTTP transport, a companion as those of companion.mk; after it.
#   http-library   build/libskan-http.so and .a
# Its client knows nothing of libskan, since the Swift package has it too; the library around it shares options and
# errors with the other companions.
http_LIBRARY := $(BUILD)/libskan-http.so
http_ARCHIVE := $(BUILD)/libskan-http.a
COMPANIONS += http
http_LIBS := -lcurl
http_SOURCES := $(wildcard Sources/SKANHTTP/Client/*.c Sources/SKANHTTP/Library/*.c) \
	$(addprefix Sources/StoreSupport/,options.c trouble.c)
http_HEADERS := $(COMPANION_HEADERS) $(wildcard Sources/SKANHTTP/Client/*.h Sources/SKANHTTP/Client/include/*.h)
http_CFLAGS := -ISources/SKANHTTP/Client/include
http_OBJECTS := $(patsubst Sources/%.c,$(BUILD)/%.o,$(http_SOURCES))

.PHONY: http-library
http-library: $(http_LIBRARY) $(http_ARCHIVE)

$(BUILD)/SKANHTTP/%.o: Sources/SKANHTTP/%.c $(http_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(COMPANION_CFLAGS) $(http_CFLAGS) -c -o $@ $<

$(BUILD)/SKANHTTP/library.map: Sources/SKANHTTP/http_library.mk
	@mkdir -p $(@D)
	printf '{ global: skan_http_*; local: *; };\n' > $@

$(http_LIBRARY): $(http_OBJECTS) $(BUILD)/SKANHTTP/library.map $(LIBRARY)
	$(CC) -shared -Wl,-soname,$(@F).$(ABI) -Wl,--version-script=$(BUILD)/SKANHTTP/library.map -Wl,--no-undefined \
		-Wl,-z,relro,-z,now,-z,nodelete -Wl,-rpath,'$$ORIGIN' -s -o $@ $(http_OBJECTS) $(LIBRARY) $(http_LIBS) -pthread
	ln -sf $(@F) $@.$(ABI)

$(http_ARCHIVE): $(http_OBJECTS)
	ld -r -o $(BUILD)/SKANHTTP/library.o $^
	objcopy --wildcard --keep-global-symbol='skan_http_*' $(BUILD)/SKANHTTP/library.o
	rm -f $@
	ar rcs $@ $(BUILD)/SKANHTTP/library.o
