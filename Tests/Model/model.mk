# Tests of conversion models: vectors through C and C++, the contract, and libskan beside the reference in Python.
#   check-model        all of them, in a short form
#   check-model-full   10 000 random histories for each ready model
#   bench-model        what they cost; part of bench
#   model-vectors      makes Tests/Vectors/models anew, by the reference
MODEL_VECTORS := $(addprefix Tests/Vectors/models/,invalid.jsonl told.jsonl random.jsonl)

.PHONY: check-model check-model-full bench-model model-vectors

check-model: $(addprefix $(CHECKS)/Model/,vectors contract vectors_cpp) $(LIBRARY) $(VENV)/libskan
	$(CHECKS)/Model/vectors . $(MODEL_VECTORS)
	$(CHECKS)/Model/contract
	$(CHECKS)/Model/vectors_cpp . $(MODEL_VECTORS)
	$(VENV)/bin/python Tests/Model/vectors.py --check Tests/Vectors/models
	$(VENV)/bin/python Tests/Model/differential.py 200

check-model-full: $(VENV)/libskan
	$(VENV)/bin/python Tests/Model/differential.py 10000

model-vectors:
	$(PYTHON) Tests/Model/vectors.py Tests/Vectors/models

$(CHECKS)/Model/%.o: Tests/Model/%.c $(CHECK_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -c -o $@ $<

$(CHECKS)/Model/vectors: $(CHECKS)/Model/vectors.o $(addprefix $(CHECKS)/C/,trace.o host.o support.o) $(LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(CHECK_LIBS)

$(CHECKS)/Model/contract: $(CHECKS)/Model/contract.o $(addprefix $(CHECKS)/C/,host.o support.o) $(LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(CHECK_LIBS)

$(CHECKS)/Model/vectors_cpp: Tests/Model/vectors.cpp $(addprefix $(CHECKS)/C/,trace.o support.o) $(CHECK_HEADERS) \
		$(LIBRARY)
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(CHECK_CXXFLAGS) -o $@ $< $(filter %.o,$^) $(CHECK_LIBS)

# The same against libskan with AddressSanitizer.
check-address-sanitizer: check-model-address
.PHONY: check-model-address
check-model-address: $(addprefix $(SANITIZED)/address/Model/,vectors contract)
	$(SANITIZED)/address/Model/vectors . $(MODEL_VECTORS)
	$(SANITIZED)/address/Model/contract

$(SANITIZED)/address/Model/%.o: Tests/Model/%.c $(CHECK_HEADERS)
	@mkdir -p $(@D)
	clang $(CHECK_CFLAGS) -fsanitize=address -c -o $@ $<

MODEL_SANITIZED_LINK = swiftc -use-ld=lld -sanitize=address -o $@ $(filter %.o,$^) @$(SANITIZED)/address/library.rsp \
	-ljson-c -lm

$(SANITIZED)/address/Model/vectors: $(SANITIZED)/address/Model/vectors.o \
		$(addprefix $(SANITIZED)/address/,library.rsp trace.o host.o support.o)
	$(MODEL_SANITIZED_LINK)

$(SANITIZED)/address/Model/contract: $(SANITIZED)/address/Model/contract.o \
		$(addprefix $(SANITIZED)/address/,library.rsp host.o support.o)
	$(MODEL_SANITIZED_LINK)

bench: bench-model
bench-model: $(CHECKS)/Model/bench $(LIBRARY)
	$(CHECKS)/Model/bench .

$(CHECKS)/Model/bench: $(CHECKS)/Model/bench.o $(LIBRARY)
	$(CC) -o $@ $< $(CHECK_LIBS)
