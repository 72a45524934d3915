# Tests of README's snippets, as they stand; after the rules of what they use.
#   check-readme
README_PARTS := $(LIBRARY) $(ARCHIVE) $(STORE_KIT) $(COMMAND) $(sqlite_LIBRARY) $(postback_LIBRARY)

.PHONY: check-readme
check-readme: $(README_PARTS) $(VENV)/libskan
	BUILD=$(BUILD) CC="$(CC)" CXX="$(CXX)" SWIFT="$(SWIFT)" $(VENV)/bin/python Tests/run.py Tests/Readme
