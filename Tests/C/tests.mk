# Tests of the C and C++ interfaces, for a Makefile that builds the library; paths are from the top of the tree.
#   check-c check-cpp check-install   everything, in a short form where it is long
#   check-threads-full                8 threads with 100 000 operations each
# CHECK_FLAGS adds to compiling and linking the tests: CHECK_FLAGS=-fsanitize=thread

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := g++
endif
OTHER_CC ?= clang
OTHER_CXX ?= clang++
BUILD ?= build
LIBRARY ?= $(BUILD)/libskan.so
ARCHIVE ?= $(BUILD)/libskan.a
CHECK_FLAGS ?=

CHECKS := $(BUILD)/Tests
CHECK_WARNINGS := -Wall -Wextra -pedantic -Werror
CHECK_CFLAGS := -std=c11 $(CHECK_WARNINGS) -O2 -g -I$(CHECKS)/include -ITests/C $(CHECK_FLAGS)
CHECK_CXXFLAGS := $(CHECK_WARNINGS) -O2 -g -I$(CHECKS)/include -ITests/C $(CHECK_FLAGS)
OTHER_CPP := "$(CXX) -std=c++20" "$(OTHER_CXX) -std=c++17" "$(OTHER_CXX) -std=c++20"
CHECK_LIBS := $(LIBRARY) -Wl,-rpath,$(abspath $(dir $(LIBRARY))) -ljson-c -lm -pthread
CHECK_VECTORS := Tests/Vectors/skan4.jsonl Tests/Vectors/skan3.jsonl
CHECK_HEADERS := $(CHECKS)/include/skan/skan.h $(CHECKS)/include/skan/skan.hpp $(wildcard Tests/C/*.h Tests/Cpp/*.hpp)

.PHONY: check-c check-cpp check-install check-threads-full

check-c: $(addprefix $(CHECKS)/C/,vectors contract faults threads forks game_server) $(LIBRARY) $(ARCHIVE)
	CC="$(CC)" CXX="$(CXX)" OTHER_CC="$(OTHER_CC)" OTHER_CXX="$(OTHER_CXX)" Tests/C/header.sh .
	CC="$(CC)" Tests/C/exports.sh Include/skan/skan.h $(LIBRARY) $(ARCHIVE)
	CC="$(CC)" OTHER_CC="$(OTHER_CC)" $(PYTHON) Tests/C/released.py Tests/C/released.txt Include
	$(CHECKS)/C/vectors $(CHECK_VECTORS)
	$(CHECKS)/C/contract
	$(CHECKS)/C/faults
	$(CHECKS)/C/threads 5000
	$(CHECKS)/C/forks
	$(CHECKS)/C/game_server 2> $(CHECKS)/C/game_server.log | diff Tests/C/Examples/game_server.txt -

check-cpp: $(addprefix $(CHECKS)/Cpp/,vectors binding many game_server compiles) $(LIBRARY)
	CXX="$(CXX)" OTHER_CXX="$(OTHER_CXX)" Tests/Cpp/names.sh .
	$(CHECKS)/Cpp/vectors $(CHECK_VECTORS)
	$(CHECKS)/Cpp/binding
	$(CHECKS)/Cpp/many
	$(CHECKS)/Cpp/game_server 2> $(CHECKS)/Cpp/game_server.log | diff Tests/C/Examples/game_server.txt -

# All that it installs is made before: it calls make beside whatever else runs.
check-install: installable
	CC="$(CC)" CXX="$(CXX)" Tests/Install/install.sh .

check-threads-full: $(CHECKS)/C/threads
	$(CHECKS)/C/threads 100000 8 50

# The headers as they are installed.
$(CHECKS)/include/skan/skan.h: Include/skan/skan.h
	@mkdir -p $(@D)
	cp $< $@

$(CHECKS)/include/skan/skan.hpp: Bindings/Cpp/skan.hpp
	@mkdir -p $(@D)
	cp $< $@

$(CHECKS)/C/%.o: Tests/C/%.c $(CHECK_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -c -o $@ $<

$(CHECKS)/C/vectors: $(addprefix $(CHECKS)/C/,vectors.o trace.o host.o support.o) $(LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(CHECK_LIBS)

$(CHECKS)/C/contract: $(addprefix $(CHECKS)/C/,contract.o contract_arguments.o contract_structs.o contract_hooks.o \
		contract_rules.o contract_records.o contract_many.o contract_endpoint.o functions.o host.o support.o) $(LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(CHECK_LIBS)

$(CHECKS)/C/faults: $(addprefix $(CHECKS)/C/,faults.o functions.o host.o support.o) $(LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(CHECK_LIBS)

$(CHECKS)/C/threads: $(addprefix $(CHECKS)/C/,threads.o host.o) $(LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(CHECK_LIBS)

$(CHECKS)/C/forks: $(addprefix $(CHECKS)/C/,forks.o functions.o support.o) $(LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(CHECK_LIBS)

$(CHECKS)/C/game_server: Tests/C/Examples/game_server.c $(CHECK_HEADERS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -o $@ $< $(CHECK_LIBS)

$(CHECKS)/Cpp/vectors: Tests/Cpp/vectors.cpp $(addprefix $(CHECKS)/C/,trace.o support.o) $(CHECK_HEADERS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(CHECK_CXXFLAGS) -o $@ $< $(filter %.o,$^) $(CHECK_LIBS)

$(CHECKS)/Cpp/binding $(CHECKS)/Cpp/many: $(CHECKS)/Cpp/%: Tests/Cpp/%.cpp $(CHECKS)/C/support.o $(CHECK_HEADERS) \
		$(LIBRARY)
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(CHECK_CXXFLAGS) -o $@ $< $(filter %.o,$^) $(CHECK_LIBS)

$(CHECKS)/Cpp/game_server: Tests/Cpp/Examples/game_server.cpp $(CHECK_HEADERS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(CHECK_CXXFLAGS) -o $@ $< $(CHECK_LIBS)

# Everything that skan.hpp is used for here, as the programs of it are not built already.
$(CHECKS)/Cpp/compiles: $(addprefix Tests/Cpp/,binding.cpp many.cpp vectors.cpp) $(wildcard Tests/Cpp/Examples/*.cpp) \
		$(CHECK_HEADERS)
	@mkdir -p $(@D)
	set -e; for compiler in $(OTHER_CPP); do \
		for file in $(filter %.cpp,$^); do $$compiler $(CHECK_CXXFLAGS) -fsyntax-only $$file; done; done
	touch $@
