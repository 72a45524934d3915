# The main job, end to end; after Tests/Command/command.mk.
#   demo          1 000 installs live through 35 days, and what became of them is told
#   check-demo    the same, and its last line
DEMO := $(CHECKS)/Demo
DEMO_MODEL := Sources/SKANModels/mixed.json
DEMO_HEADERS := $(CHECK_HEADERS) $(CHECKS)/include/skan/sqlite.h $(CHECKS)/include/skan/http.h \
	$(wildcard Tests/Demo/*.h)

.PHONY: demo check-demo
demo: $(DEMO)/demo $(COMMAND)
	$(DEMO)/demo $(COMMAND) $(DEMO_MODEL)

check-demo: $(DEMO)/demo $(COMMAND)
	@$(DEMO)/demo $(COMMAND) $(DEMO_MODEL) > $(DEMO)/demo.log 2>&1 || { cat $(DEMO)/demo.log; exit 1; }
	@tail -n 1 $(DEMO)/demo.log

$(DEMO)/%.o: Tests/Demo/%.c $(DEMO_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -c -o $@ $<

$(DEMO)/demo: $(patsubst Tests/Demo/%.c,$(DEMO)/%.o,$(wildcard Tests/Demo/*.c)) $(sqlite_LIBRARY) $(http_LIBRARY) \
		$(LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(sqlite_LIBRARY) $(http_LIBRARY) $(CHECK_LIBS)
