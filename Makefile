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
PKGS     := libgit2 libcmark libcjson libarchive libcrypto openblas
BUILD_DEBS := gcc libc6-dev pkg-config libgit2-dev libcmark-dev libcjson-dev libarchive-dev \
              libssl-dev libopenblas-dev
CHECK_DEBS := libcmocka-dev clang libclang-rt-dev clang-format valgrind perl jq python3 python3-jsonschema \
              python3-numpy zstd universal-ctags libxml2-utils procps strace tidy

SRC      := $(wildcard $(STAGES:%=%/*.c))
LIB_OBJ  := $(patsubst %.c,$(B)/%.o,$(filter-out cli/main.c,$(SRC)))
UNIT     := $(patsubst %.c,$(B)/%,$(wildcard tests/unit/test_*.c))
ORACLE   := $(B)/tests/oracle/dump_tiny_llama

OPT      ?= -O2 -g
WARN     := -std=c11 -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wvla -Wwrite-strings
# Same bits on every compiler: no contraction to fused multiply-add behind our back.
STRICT   := -ffp-contract=off -fno-strict-aliasing
DEFINES  := -I. -D_GNU_SOURCE -DFPREPORT_VERSION='"$(VERSION)"'
# Evaluated when first used, because `make site` may install pkg-config in this same run.
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS   = $(eval PKG_LIBS := $$(shell pkg-config --libs $(PKGS)))$(PKG_LIBS)
SYS_LIBS := -ldl -lm -lpthread

.PHONY: FORCE all site check bench install uninstall clean deps check-deps format
all: $(PROGRAM)

$(PROGRAM): $(B)/cli/main.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)
	@echo "note: the GPU trainer is left out of this version; native training runs on the CPU"

$(B)/libfpreport.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

# A new version or new flags in here make every object new.
$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(WARN) $(STRICT) $(OPT) $(SANITIZE) $(DEFINES) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# The one object that knows the prefix is made again when that changes.
$(B)/cli/paths.o: DEFINES += -DFPREPORT_DATADIR='"$(prefix)/share/fpreport"'
$(B)/cli/paths.o: $(B)/prefix
$(B)/prefix: FORCE
	@mkdir -p $(@D)
	@echo '$(prefix)' | cmp -s - $@ || echo '$(prefix)' >$@

# The loops of the trainer are worth it: four elements at a time, with the same bits as one by one
# (docs/PERFORMANCE.md). Nothing here reads errno after a square root.
$(B)/trainer/device_cpu.o: OPT += -O3 -fno-math-errno

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ -lcmocka $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)

# What independent implementations of the trainer start from (tests/oracle/).
$(B)/tests/oracle/%: $(B)/tests/oracle/%.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)

# What `make bench` measures (tests/bench/).
$(B)/tests/bench/%: $(B)/tests/bench/%.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(SYS_LIBS) $(LDLIBS)

$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/libfpreport.a
	$(CC) $(OPT) $(SANITIZE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(PKG_LIBS) $(LDLIBS)

.PHONY: units
units: $(UNIT) $(ORACLE)
.SECONDARY: $(UNIT:%=%.o) $(ORACLE:%=%.o)

-include $(shell find $(B) -name '*.d' 2>/dev/null)

# A failed check of a result (exit 1) is a finding that the site shows, not a broken build.
site: deps
	@$(MAKE) --no-print-directory all
	./fpreport build -o site || [ $$? -eq 1 ]
	@test -s site/index.html && echo "open site/index.html"

check: check-deps
	@$(MAKE) --no-print-directory all
	@tests/run.sh

# Hostile bytes for every reader, under ASan and UBSan: tests/fuzz/fuzz.h says how.
SECONDS ?= 60
FUZZ    := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
.PHONY: fuzz fuzz-programs
fuzz-programs:
	@$(MAKE) --no-print-directory -s CC=clang B=build/fuzz OPT='-O1 -g' \
	  SANITIZE='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined -fno-omit-frame-pointer' \
	  $(FUZZ:%=build/fuzz/tests/fuzz/fuzz_%)
fuzz: fuzz-programs
	@sh tests/fuzz/seeds.sh build/fuzz/corpus
	@for r in $(FUZZ); do echo "== $$r"; build/fuzz/tests/fuzz/fuzz_$$r -max_total_time=$(SECONDS) -timeout=5 \
	  -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 -artifact_prefix=build/fuzz/$$r- \
	  build/fuzz/corpus/$$r || exit 1; done

# docs/PERFORMANCE.md: the trainer beside PyTorch, where there is one; logs beside wc and grep;
# results and pages beside a script that loads them and recomputes one figure.
bench: all $(ORACLE) $(B)/tests/bench/read_log
	@python3 tests/bench/train_peer.py ./$(PROGRAM) $(ORACLE)
	@python3 tests/bench/logs.py $(B)/tests/bench/read_log 2048
	@python3 tests/bench/verify.py ./$(PROGRAM)

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
	cp -R templates records $(DESTDIR)$(prefix)/share/fpreport/

uninstall:
	rm -f $(DESTDIR)$(prefix)/bin/fpreport
	rm -rf $(DESTDIR)$(prefix)/share/fpreport

format:
	clang-format -i $(SRC) $(wildcard $(STAGES:%=%/*.h)) $(wildcard tests/*/*.[ch])

clean:
	rm -rf build fpreport
