# fpreport: `make` builds ./fpreport, `make site` runs the main job, `make check` tests it.
# On Debian, `site` and `check` first install what is missing; plain `make` installs nothing.

CC       ?= cc
PREFIX   ?= /usr/local
prefix   ?= $(PREFIX)
DESTDIR  ?=
# Where objects go: one folder per variant (gcc, clang, asan …), so that they never mix.
B        ?= build/default
PROGRAM  ?= fpreport

VERSION  := 0.1.0
STAGES   := base cli collector verifier renderer trainer
PKGS     := libgit2 libcmark libcjson libarchive libmicrohttpd libcrypto libjpeg libpng openblas
BUILD_DEBS := gcc libc6-dev pkg-config libgit2-dev libcmark-dev libcjson-dev libarchive-dev \
              libssl-dev libopenblas-dev libjpeg62-turbo-dev libpng-dev libmicrohttpd-dev libcairo2 git
CHECK_DEBS := libcmocka-dev clang lld libclang-rt-dev clang-format valgrind perl jq python3 python3-jsonschema \
              python3-numpy python3-pil python3-yaml sentencepiece zstd universal-ctags libxml2-utils procps strace tidy curl \
              libopenmpi-dev openmpi-bin iproute2 chromium-headless-shell openssh-client \
              groff zsh fish libicu-dev
# A Node from elsewhere brings npm with it and conflicts with Debian's.
CHECK_DEBS += $(if $(shell command -v node),,nodejs) $(if $(shell command -v npm),,npm)

# Ranks over MPI and NCCL need those libraries; they are linked into what asks for them only.
RANKS    := trainer/ranks/comm_mpi.c trainer/ranks/comm_nccl.c
# What differs between programs is linked into each by name (cli/program.h).
PER_PROGRAM := cli/main.c cli/program_fpreport.c cli/program_fptrain.c cli/absent.c trainer/device/blas_linked.c
# CUDA's part is fptrain's alone (below).
CUDA_DIR := trainer/device/cuda
CUDA_SRC := $(wildcard $(CUDA_DIR)/*.c) trainer/machine/machine_cuda.c
SRC      := $(filter-out $(RANKS) $(CUDA_SRC),$(shell find $(STAGES) -name '*.c' -not -path '$(CUDA_DIR)/*' | LC_ALL=C sort))
LIB_OBJ  := $(patsubst %.c,$(B)/%.o,$(filter-out $(PER_PROGRAM),$(SRC)))
UNIT     := $(patsubst %.c,$(B)/%,$(shell find tests/unit -name 'test_*.c' | LC_ALL=C sort))
ORACLE   := $(B)/tests/oracle/dump_tiny_llama $(B)/tests/oracle/dump_start $(B)/tests/oracle/dump_case

DEBUG    ?= -g
OPT      ?= -O2 $(DEBUG)
WARN     := -std=c11 -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wvla -Wwrite-strings
# Same bits on every compiler: no contraction to fused multiply-add behind our back.
STRICT   := -ffp-contract=off -fno-strict-aliasing
DEFINES  := -I. -D_GNU_SOURCE -DFPREPORT_VERSION='"$(VERSION)"'
# Evaluated when first used, because `make site` may install pkg-config in this same run.
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PKGS)))$(PKG_CFLAGS)
# OpenBLAS is opened when something is trained (trainer/device/blas.h), libgit2 when a repository is looked at
# (base/git/repo_git.h), libarchive when a submission is (base/sealed/archive_library.h), libmicrohttpd by `serve`.
PKG_LIBS   = $(eval PKG_LIBS := $$(shell pkg-config --libs $(filter-out openblas libgit2 libarchive libmicrohttpd,$(PKGS))))$(PKG_LIBS)
SYS_LIBS := -ldl -lm -lpthread

# The object that knows an MPI lies beside the program, where MPICC compiles and links a program (below):
# openmpi-bin alone brings an mpicc without the headers.
MPICC      ?= mpicc
MPI_PROBE  := '\#include <mpi.h>\nint main(void) { return MPI_Finalize(); }\n'
HAVE_MPI   := $(shell printf $(MPI_PROBE) | $(MPICC) -x c -o /dev/null - 2>/dev/null && echo yes)
MPI_OBJECT := $(if $(HAVE_MPI),$(dir $(PROGRAM))fpreport-mpi.so)

.PHONY: FORCE all site check bench install uninstall clean deps check-deps format
all: $(PROGRAM) $(MPI_OBJECT)

$(PROGRAM): $(B)/cli/main.o $(B)/cli/program_fpreport.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)
	@echo "note: native training runs on the CPU; GPUs are for fptrain, which 'make fptrain' builds"

$(B)/libfpreport.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) qcs $@ $^

# A new version or new flags in here make every object new.
$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(WARN) $(STRICT) $(OPT) $(PLAIN) $(SANITIZE) $(DEFINES) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# The one object that knows the prefix is made again when that changes.
$(B)/cli/paths.o: DEFINES += -DFPREPORT_DATADIR='"$(prefix)/share/fpreport"'
$(B)/cli/paths.o: $(B)/prefix
$(B)/prefix: FORCE
	@mkdir -p $(@D)
	@echo '$(prefix)' | cmp -s - $@ || echo '$(prefix)' >$@

# The loops of the trainer are worth it: four elements at a time, with the same bits as one by one
# (docs/PERFORMANCE.md). Nothing here reads errno after a square root.
$(B)/trainer/device/device_cpu.o $(B)/trainer/device/device_cpu_rows.o: OPT += -O3 -fno-math-errno

# Tests compile in a third of the time without optimisation, where they compute nothing themselves.
$(foreach stage,base cli collector renderer verifier,$(B)/tests/unit/$(stage)/%.o): PLAIN := -O0
# So do rooms that are named, with sanitizers in a third of the time, too (tests/run.sh).
PLAIN_ROOMS ?=
$(PLAIN_ROOMS:%=$(B)/%/%.o): PLAIN := -O0
$(B)/tests/unit/%: $(B)/tests/unit/%.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) $(TEST_LDFLAGS) -o $@ $^ -lcmocka $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)

# It puts a function of its own before the library's.
$(B)/tests/unit/base/git/test_repo: LDLIBS += -lgit2

# What independent implementations of the trainer start from (tests/oracle/).
$(B)/tests/oracle/%: $(B)/tests/oracle/%.o $(B)/tests/oracle/start.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)

# The program with each call of the readers of numbers counted (tests/cli/build/figures.sh).
$(B)/tests/count/fpreport: $(B)/tests/count/figures.o $(B)/cli/main.o $(B)/cli/program_fpreport.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -Wl,--wrap=figure_parse,--wrap=figure_read,--wrap=figure_scan_number \
	  -o $@ $^ $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)

# What `make bench` measures (tests/bench/).
$(B)/tests/bench/%: $(B)/tests/bench/%.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)

$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(LDLIBS)

# The MPI that starts ranks is opened at run time (trainer/ranks/ranks.h), so that programs start where there
# is none: all that knows it is one object beside them. `make mpi` says why it cannot be made, and
# makes it for another MPI: make mpi MPICC=/opt/mpich/bin/mpicc
comma     := ,
MPI_SRC   := trainer/ranks/comm_mpi.c base/err.c base/sentence.c base/arena.c
$(dir $(PROGRAM))fpreport-mpi.so: $(MPI_SRC) trainer/ranks/comm_mpi.h trainer/ranks/comm.h base/err.h base/sentence.h base/arena.h Makefile
	OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC) $(WARN) $(STRICT) $(OPT) $(DEFINES) -fPIC -shared \
	  -Wl,-Bsymbolic $(if $(SANITIZE),,-Wl$(comma)-z$(comma)defs) -o $@ $(MPI_SRC)
.PHONY: mpi
mpi:
	@$(if $(HAVE_MPI),$(MAKE) --no-print-directory -B $(MPI_OBJECT),\
	  echo "$(MPICC) cannot compile a program with mpi.h; on Debian, install libopenmpi-dev" >&2; exit 2)

# Several ranks on processors (tests/mpi/), where an MPI is installed.
MPI_CFLAGS = $(eval MPI_CFLAGS := $$(shell pkg-config --cflags ompi-c))$(MPI_CFLAGS)
MPI_LIBS   = $(eval MPI_LIBS := $$(shell pkg-config --libs ompi-c))$(MPI_LIBS)
MPI_TESTS := $(patsubst %.c,$(B)/%,$(wildcard tests/mpi/*.c))
$(B)/trainer/ranks/comm_mpi.o $(MPI_TESTS:%=%.o): CPPFLAGS += $(MPI_CFLAGS)
$(B)/tests/mpi/%: $(B)/tests/mpi/%.o $(B)/trainer/ranks/comm_mpi.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(MPI_LIBS) $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)

# The GPU's device and what tests it (tests/gpu/): for a machine with CUDA, NCCL and nothing of ours,
# so that everything else is linked statically, but for cJSON, of which Debian has no archive: it lies
# beside the programs or one folder above. `make gpu-tests` needs no GPU, running them does.
CUDA     ?= /usr/local/cuda
NVCC     ?= $(CUDA)/bin/nvcc
CUDA_ARCH ?= -gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90
CUDA_OBJ := $(CUDA_SRC:%.c=$(B)/%.o) \
            $(patsubst %.cu,$(B)/%.cu.o,$(wildcard $(CUDA_DIR)/kernels/*.cu)) $(B)/trainer/ranks/comm_nccl.o \
            $(B)/trainer/device/blas_linked.o
CUDA_LIBS := -L$(CUDA)/lib64 -Wl,-rpath,$(CUDA)/lib64 -lcublasLt -lcudart -lnccl \
             -Wl,-Bstatic -lopenblas -lcrypto -ljpeg -lpng16 -lz -Wl,-Bdynamic -lcjson -lstdc++ $(SYS_LIBS) \
             -Wl,-rpath,'$$ORIGIN' -Wl,-rpath,'$$ORIGIN/..'
GPU_TESTS := $(patsubst %.c,$(B)/%,$(wildcard tests/gpu/test_*.c tests/gpu/train_*.c))
GPU_START := $(B)/tests/gpu/dump_start
# What several of them use.
GPU_PARTS := $(patsubst %.c,$(B)/%.o,$(filter-out $(wildcard tests/gpu/test_*.c tests/gpu/train_*.c),$(wildcard tests/gpu/*.c)))
$(CUDA_OBJ) $(GPU_PARTS) $(GPU_TESTS:%=%.o): CPPFLAGS += -isystem $(CUDA)/include
$(B)/$(CUDA_DIR)/kernels/%.cu.o: $(CUDA_DIR)/kernels/%.cu $(wildcard $(CUDA_DIR)/kernels/*.cuh $(CUDA_DIR)/kernels/*.h $(CUDA_DIR)/*.h) trainer/device/device.h Makefile
	@mkdir -p $(@D)
	$(NVCC) -std=c++17 -O3 $(CUDA_ARCH) -I. -c -o $@ $<
$(B)/tests/gpu/%: $(B)/tests/gpu/%.o $(GPU_PARTS) $(CUDA_OBJ) $(B)/libfpreport.a
	$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(CUDA_LIBS)
$(GPU_START): $(B)/tests/oracle/dump_start.o $(B)/tests/oracle/start.o $(B)/trainer/device/blas_linked.o $(B)/libfpreport.a
	@mkdir -p $(@D)
	$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(CUDA_LIBS)

# The trainer for machines with GPUs, which have CUDA and NCCL and none of libgit2, libarchive and
# cmark: what needs those is not among its sources. cJSON's library is laid beside it.
TRAIN_CLI := options print paths cmd_help help completion stops
TRAIN_OUT := base/git/%.c base/sealed/archive.c base/markdown/markdown.c $(PER_PROGRAM)
TRAIN_SRC := $(filter-out $(TRAIN_OUT),$(filter base/%.c trainer/%.c cli/train/%.c cli/score/%.c,$(SRC))) \
             $(TRAIN_CLI:%=cli/%.c)
TRAIN_OBJ := $(B)/cli/main.o $(B)/cli/program_fptrain.o $(B)/cli/absent.o $(CUDA_OBJ)
$(B)/libfptrain.a: $(TRAIN_SRC:%.c=$(B)/%.o)
	@rm -f $@
	$(AR) qcs $@ $^
$(B)/fptrain: $(TRAIN_OBJ) $(B)/libfptrain.a
	$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(CUDA_LIBS)
NCCL_H    = $(firstword $(wildcard $(CUDA)/include/nccl.h /usr/include/nccl.h))
NO_CUDA   = $(if $(wildcard $(NVCC)),$(if $(NCCL_H),,NCCL: there is no nccl.h),CUDA: there is no $(NVCC))
.PHONY: fptrain
fptrain:
	@$(if $(strip $(NO_CUDA)),echo "fptrain needs $(NO_CUDA) (CUDA=DIR names its folder)" >&2; exit 2,\
	  $(MAKE) --no-print-directory PKGS='libcjson libcrypto libjpeg libpng openblas' $(B)/fptrain && \
	  cp $(B)/fptrain . && cp -L $$($(CC) -print-file-name=libcjson.so.1) . && \
	  $(if $(HAVE_MPI),$(MAKE) --no-print-directory $(MPI_OBJECT),:))

# Our fused attention's kernels, the embedding's, pictures' and the adapters' on the processor, under sanitizers: needs CUDA's headers and no GPU.
EMULATED  := $(B)/tests/gpu/emulated
EMULATE   := $(CXX) -std=c++17 -g -O1 -fsanitize=address,undefined -Wall -Wextra -Wno-unknown-pragmas \
             -Wno-clobbered -Itests/gpu/emulated -I. -isystem $(CUDA)/include
$(EMULATED)/attention: $(wildcard tests/gpu/emulated/*.[ch]* tests/gpu/emulated/$(CUDA_DIR)/kernels/*) \
                       $(wildcard $(CUDA_DIR)/kernels/*.cuh $(CUDA_DIR)/kernels/attention_flash*.cu) \
                       $(patsubst %,$(CUDA_DIR)/kernels/%.cu,embed pictures triangle) $(wildcard $(CUDA_DIR)/kernels/thin*.cu) \
                       $(B)/tests/gpu/attention_data.o
	@mkdir -p $(@D)
	$(EMULATE) -o $@ tests/gpu/emulated/*.cpp -x c++ $(filter %.cu,$^) -x none $(B)/tests/gpu/attention_data.o -lm

.PHONY: units unit-tests mpi-tests gpu-tests check-gpu emulated
emulated: $(EMULATED)/attention
	$<

gpu-tests: $(GPU_TESTS) $(GPU_START)
	@cp -L $$($(CC) -print-file-name=libcjson.so.1) $(B)/tests/gpu/
# On a machine with GPUs, or there with the folder carried: tests/gpu/check.sh build/default/tests/gpu
check-gpu: gpu-tests fptrain
	tests/gpu/check.sh $(B)/tests/gpu
	tests/gpu/checkpoint.sh ./fptrain

mpi-tests: $(MPI_TESTS)
unit-tests: $(UNIT)
units: unit-tests $(ORACLE) $(B)/tests/count/fpreport
.SECONDARY: $(UNIT:%=%.o) $(ORACLE:%=%.o) $(B)/tests/oracle/start.o

-include $(shell find $(B) -name '*.d' 2>/dev/null)

# A failed check of a result (exit 1) is a finding that the site shows, not a broken build.
site: deps
	@$(MAKE) --no-print-directory all
	./fpreport build -o site || [ $$? -eq 1 ]
	@test -s site/index.html && echo "open site/index.html"

check: check-deps
	@tests/run.sh

# The recipes of docs/CONTRIBUTING.md on a copy of the checkout, built and run.
.PHONY: check-recipes
check-recipes:
	@sh tests/recipes/check.sh run

# The recipe of docs/SCALE.md on Debian's Slurm, three nodes on loopback; skipped where it is not installed.
.PHONY: check-slurm
check-slurm: all
	@FPREPORT=$(CURDIR)/fpreport sh tests/slurm/array.sh
	@FPREPORT=$(CURDIR)/fpreport sh tests/slurm/training.sh

# Hostile bytes for every reader, under ASan and UBSan, SECONDS each: tests/fuzz/fuzz.h says how.
SECONDS ?= 120
FUZZ    := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
READERS ?= $(FUZZ)
# Every plan of ranks that tests/unit/trainer/training/test_plans.c lists; `check` tries a sample of them. Some minutes.
.PHONY: check-plans check-long
# What `check` takes samples of: the large tokenizers, mutants of submissions, writers that fail, edits between two
# builds, faults that the checks of pages must see.
check-long: all
	LONG=1 tests/run.sh gcc.tokens gcc.sign_mutants gcc.torture gcc.cache gcc.browser
check-plans: $(B)/tests/unit/trainer/training/test_plans
	PLANS=all $<

.PHONY: fuzz fuzz-programs fuzz-readers found-programs
# All readers in one program, by any compiler: enough to replay what was found, not to find more.
$(B)/tests/fuzz/replay_%.o: tests/fuzz/fuzz_%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(WARN) $(STRICT) $(OPT) $(SANITIZE) $(DEFINES) $(PKG_CFLAGS) -DLLVMFuzzerTestOneInput=fuzz_$* -MMD -MP -c -o $@ $<
$(B)/tests/fuzz/replay.o: $(FUZZ:%=tests/fuzz/fuzz_%.c) # a new one is a new list
$(B)/tests/fuzz/replay.o: DEFINES += -DREADERS='$(foreach r,$(FUZZ),X($r))'
$(B)/tests/fuzz/replay: $(B)/tests/fuzz/replay.o $(FUZZ:%=$(B)/tests/fuzz/replay_%.o) $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)
found-programs: $(B)/tests/fuzz/replay
fuzz-readers: $(FUZZ:%=$(B)/tests/fuzz/fuzz_%)
fuzz-programs:
	@$(MAKE) --no-print-directory -s CC=clang B=build/fuzz OPT='-O1 -g' \
	  SANITIZE='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined -fno-omit-frame-pointer' \
	  fuzz-readers
fuzz: fuzz-programs
	@sh tests/fuzz/seeds.sh build/fuzz/corpus
	@sh tests/fuzz/run.sh build/fuzz $(SECONDS) $(READERS)

# Lines and branches of the readers of submissions, records and logs that their tests take
# (LIST=1: which not; docs/TESTING.md says why not).
.PHONY: coverage
coverage: all units found-programs
	@LIST='$(LIST)' sh tests/coverage.sh build/coverage $(CC)

# Unit tests and the scripts that put the readers to work under valgrind (docs/TESTING.md).
VALGRIND ?= $(filter-out test_worker test_memory,$(notdir $(UNIT))) verify sign collect import archive build
.PHONY: valgrind
valgrind:
	@$(MAKE) --no-print-directory -s B=build/valgrind PROGRAM=build/valgrind/fpreport \
	  CPPFLAGS='$(CPPFLAGS) -DSANDBOX_WIDE=1' units build/valgrind/fpreport
	@sh tests/valgrind.sh build/valgrind $(VALGRIND)

# Kills, failing calls and allocations, power failures, for every command that writes: SAMPLE points of
# each (0: all), of ONLY='--only publish' or all. `make torture` does all of it in pieces.
SAMPLE ?= 100
MORE   ?= 200
ONLY   ?=
.PHONY: torture-writers
FAULTS := $(wildcard tests/torture/faults*.c)
build/torture/faults.so: $(FAULTS) tests/torture/faults.h
	@mkdir -p $(@D)
	$(CC) $(WARN) -D_GNU_SOURCE -O1 -g -fPIC -shared -o $@ $(FAULTS) -ldl
torture-writers: all build/torture/faults.so
	python3 tests/torture/torture.py ./$(PROGRAM) build/torture/faults.so --sample $(SAMPLE) --more $(MORE) $(ONLY)

# RACES of two publishers at once, about a second each (docs/SECURITY.md).
RACES ?= 1000
.PHONY: races
races: all
	@sh tests/torture/races.sh ./$(PROGRAM) $(RACES)

# docs/PERFORMANCE.md: the trainer beside PyTorch, where there is one; logs beside wc and grep;
# results and pages beside a script that loads them and recomputes one figure.
# the site of 10,000 results beside hugo (apt-get install hugo).
# BEFORE=PROGRAM: of before a change, beside which a shard and evidence are verified, and evidence is added to an archive.
bench: all $(ORACLE) $(B)/tests/bench/read_log
	@python3 tests/bench/train_peer.py ./$(PROGRAM) $(firstword $(ORACLE))
	@python3 tests/bench/logs.py $(B)/tests/bench/read_log 2048
	@python3 tests/bench/mlperf.py ./$(PROGRAM)
	@python3 tests/bench/verify.py ./$(PROGRAM)
	@python3 tests/bench/shard.py ./$(PROGRAM) $(BEFORE)
	@python3 tests/bench/evidence.py ./$(PROGRAM) $(BEFORE)
	@python3 tests/bench/archive_add.py ./$(PROGRAM) $(BEFORE)
	@python3 tests/bench/build.py ./$(PROGRAM)

# How often the rules about challenges are wrong (docs/SECURITY.md): five minutes of processor.
.PHONY: challenge-rates
challenge-rates: all
	@python3 tests/bench/challenge_rates.py run ./$(PROGRAM) cpu $(B)/challenge.jsonl 2
	@python3 tests/bench/challenge_rates.py table $(B)/challenge.jsonl

# Long sweeps: hours on a small machine, in pieces. What is finished stands in build/torture/pieces/state,
# and the next `make torture` goes on behind it. What they gave stands in docs/TESTING.md.
TORTURE := $(B)/tests/torture/flip_bits
$(B)/tests/torture/%: $(B)/tests/torture/%.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)
.PHONY: torture
torture: all $(TORTURE) build/torture/faults.so
	@python3 tests/torture/pieces.py $(PROGRAM) build/torture/faults.so $(TORTURE) build/torture/pieces $(PIECES)

# Packages that dpkg does not know as installed; apt is asked only when there are any.
missing = $(shell for p in $(1); do dpkg -s $$p >/dev/null 2>&1 || echo $$p; done)
define apt_install
	@missing="$(call missing,$(1))"; [ -z "$$missing" ] || { \
	  command -v apt-get >/dev/null || { echo "please install: $$missing" >&2; exit 2; }; \
	  sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  echo "installing: $$missing"; $$sudo apt-get update -qq && \
	  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; }
endef
deps:
	$(call apt_install,$(BUILD_DEBS))
check-deps:
	$(call apt_install,$(BUILD_DEBS) $(CHECK_DEBS))

install: all
	install -d $(DESTDIR)$(prefix)/bin $(DESTDIR)$(prefix)/share/fpreport
	install -m 755 $(PROGRAM) $(DESTDIR)$(prefix)/bin/fpreport
	install -m 755 templates/site/verify.sh $(DESTDIR)$(prefix)/bin/fpreport-verify
	[ ! -x fptrain ] || install -m 755 fptrain libcjson.so.1 $(DESTDIR)$(prefix)/bin/
	[ ! -e fpreport-mpi.so ] || install -m 755 fpreport-mpi.so $(DESTDIR)$(prefix)/bin/
	cp -R templates records $(DESTDIR)$(prefix)/share/fpreport/
	install -d $(INSTALLED_DOCS:%=$(DESTDIR)$(prefix)/%)
	install -m 644 README.md docs/*.md $(DESTDIR)$(prefix)/share/doc/fpreport/
	cp -R docs/lab $(DESTDIR)$(prefix)/share/doc/fpreport/
	$(call install_help,$(PROGRAM),fpreport)
	[ ! -x fptrain ] || { $(call install_help,./fptrain,fptrain); }

# Pages of the manual and completions, which a program writes from its own tables of options.
INSTALLED_DOCS := share/doc/fpreport share/man/man1 share/bash-completion/completions \
                  share/zsh/site-functions share/fish/vendor_completions.d
SHARE = $(DESTDIR)$(prefix)/share
install_help = p=$$(realpath $1) && "$$p" help --format man -o $(SHARE)/man/man1 && \
  "$$p" help --format bash -o $(SHARE)/bash-completion/completions/$2 && \
  "$$p" help --format zsh -o $(SHARE)/zsh/site-functions/_$2 && \
  "$$p" help --format fish -o $(SHARE)/fish/vendor_completions.d/$2.fish

uninstall:
	rm -f $(DESTDIR)$(prefix)/bin/fpreport $(DESTDIR)$(prefix)/bin/fpreport-verify
	rm -f $(DESTDIR)$(prefix)/bin/fpreport-mpi.so
	[ ! -x fptrain ] || rm -f $(DESTDIR)$(prefix)/bin/fptrain $(DESTDIR)$(prefix)/bin/libcjson.so.1
	rm -rf $(SHARE)/fpreport $(SHARE)/doc/fpreport
	for p in fpreport fptrain; do rm -f $(SHARE)/man/man1/$$p.1 $(SHARE)/man/man1/$$p-*.1 \
	  $(SHARE)/bash-completion/completions/$$p $(SHARE)/zsh/site-functions/_$$p \
	  $(SHARE)/fish/vendor_completions.d/$$p.fish; done

format:
	clang-format -i $(shell git ls-files '*.c' '*.h')

clean:
	rm -rf build fpreport fptrain libcjson.so.1 fpreport-mpi.so
