# Everything runs in .venv, which is made on demand. `make bench` installs a release build there, all
# other targets a build of CAROM_PROFILE, by default for development (`make dev`); either is built anew when a source
# is newer.

PYTHON ?= python3
# `.ci/run` says `release`: it builds the release wheel anyway, and so needs no other build.
CAROM_PROFILE ?= dev-fast
VENV := .venv
BIN := $(VENV)/bin
# Directories are listed too: the date of a directory changes when a file in it is removed.
RUST := pyproject.toml Cargo.toml Cargo.lock README.md $(shell find src)
SOURCES := $(RUST) $(shell find python/carom -not -name '*.so' -not -path '*__pycache__*')
PYTEST := $(BIN)/python -m pytest --numprocesses logical --dist loadgroup

.PHONY: demo dev quick test test-core test-python lint lint-rust lint-python docs pictures hard bench wheel walkthrough clean
.PHONY: fuzz mutants planted asan miri memcheck audit advisories
.PHONY: test-threads load fuzz-readers accuracy arrow

demo: $(VENV)/demo.installed
	$(BIN)/python -m carom demo

# Builds without link-time optimisation, incrementally, and installs python/carom as it stands: edits of
# Python files need no other build.
dev: $(VENV)/dev.installed

# The tests that take about a minute together, on two cores, with a quarter of the random examples.
quick: dev
	CAROM_QUICK=1 $(PYTEST) -m 'not slow'

test: test-core test-python

test-python: dev
	$(PYTEST)
	$(BIN)/python -m mypy.stubtest carom --mypy-config-file pyproject.toml

test-core:
	cargo test --quiet

lint: lint-rust lint-python

lint-rust: | $(BIN)/python
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	PYO3_PYTHON=$(CURDIR)/$(BIN)/python cargo clippy --all-targets --features python -- -D warnings
	cargo check --quiet --locked --all-targets --manifest-path tests/fuzz/Cargo.toml

lint-python: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/nbqa mypy python/examples
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/zizmor --quiet --offline --persona=pedantic .github
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff

# Writes the site to target/docs without network access. Warnings and broken internal links are errors.
docs: $(VENV)/docs.installed
	rm -rf python/docs/generated
	$(BIN)/python -m sphinx -q -E -W --keep-going -d target/doctrees python/docs target/docs

# Redraws the pictures of the pages, python/docs/images.
pictures: $(VENV)/docs.installed
	$(BIN)/python python/docs/pictures.py

# Compares every query with the oracle on 100,000 hard cases of convex and of general shapes, on
# 30,000 of shapes that turn, and on 1,000,000 of predicates.
hard: dev
	$(BIN)/python tests/hard_cases.py --shapes convex --cases 100000 --jobs $$(nproc)
	$(BIN)/python tests/hard_cases.py --shapes general --cases 100000 --jobs $$(nproc)
	$(BIN)/python tests/hard_cases.py --shapes turning --cases 30000 --jobs $$(nproc)
	$(BIN)/python tests/hard_cases.py --shapes predicates --cases 1000000 --jobs $$(nproc)

# Runs the tests of the queries in four threads at once, and those of threads for a minute.
THREADED = $(addprefix tests/test_,shapes.py distance.py sat.py locate.py nearest.py ray_cast.py \
	contact_intervals.py radius.py validity.py joins.py rounded_rows.py)
# Left out: an iterator that can be used once, the size of the process, and interrupts of the main thread.
ALONE = whatever_holds_polygons or process_grows or progress or interrupt
# Outside $(VENV), where every other run of pytest would load it.
PARALLEL := target/pytest_run_parallel
test-threads: dev
	$(BIN)/python -m pip install --quiet --upgrade --no-deps --target $(PARALLEL) pytest-run-parallel
	PYTHONPATH=$(PARALLEL) $(BIN)/python -m pytest --quiet --parallel-threads=4 -m 'not slow' \
		-k 'not ($(ALONE))' $(THREADED)
	CAROM_THREADS_SECONDS=60 $(BIN)/python -m pytest --quiet tests/test_threads.py

# Asks about ten million pairs again and again for ten minutes, and watches the memory. LOAD=--help lists
# the options.
LOAD ?= --seconds 600
load: dev
	$(BIN)/python tests/load.py $(LOAD)

# Reads Arrow, WKB and ragged arrays of arbitrary bytes for twenty minutes. BYTES=--help lists the options.
BYTES ?= --seconds 1200
fuzz-readers: dev
	$(BIN)/python -X faulthandler tests/fuzz_readers.py --last target/last_bytes $(BYTES)

# Sends 4,000 columns to DuckDB, SedonaDB, polars and others and back. These libraries take 750 MB; without them the
# tests of other targets are skipped. ARROW=--help lists the options.
ARROW ?= --cases 4000
arrow: $(VENV)/arrow.installed
	$(BIN)/python -m pytest tests/test_arrow_libraries.py \
		'tests/test_readme.py::test_examples_print_what_the_page_shows[arrow.md]'
	$(BIN)/python tests/arrow_variations.py $(ARROW)

# Measures the error of every returned number, in units in the last place. ACCURACY=--help lists the options.
ACCURACY ?= --cases 3000
accuracy: dev
	$(BIN)/python tests/bench/accuracy.py $(ACCURACY)

# Compares the speed with Shapely and numba. BENCH=--help lists the options.
bench: $(VENV)/bench.installed
	$(BIN)/python tests/bench/compare.py $(BENCH)

# Builds the release wheel, checks it, and tries it on every Python of this machine.
wheel: dist/checked
dist/checked: $(SOURCES) | dev
	rm -rf dist
	$(BIN)/maturin build --release --locked --interpreter $(BIN)/python --out dist
	$(BIN)/twine check --strict dist/*
	$(BIN)/python tests/wheel.py dist
	touch $@

# Follows the README with the release wheel in an empty environment, and checks the wheel's golden bits.
walkthrough: wheel
	$(BIN)/python tests/walkthrough.py dist/*.whl

# Runs every fuzz target for a minute, or for FUZZ_SECONDS. The targets have no unsafe code to sanitise.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= predicates pairs moving turning circles columns raw
fuzz:
	cargo fuzz --version > /dev/null || cargo install --quiet --locked cargo-fuzz
	mkdir -p tests/fuzz/target && cd tests/fuzz && for target in $(FUZZ_TARGETS); do \
		mkdir -p corpus/$$target && \
		RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir . --sanitizer none \
			$$target corpus/$$target seeds/$$target -- \
			-max_total_time=$(FUZZ_SECONDS) -max_len=400 -timeout=60 -print_final_stats=1 \
			> target/$$target.log 2>&1 || { tail -40 target/$$target.log; exit 1; }; \
		echo $$target; grep -h -E '^Done|^stat::(number|average)' target/$$target.log; \
	done

# Mutation testing of the predicates, and of a sample elsewhere. MUTANTS=--help lists the options.
mutants: dev
	cargo mutants --version > /dev/null || cargo install --quiet --locked cargo-mutants
	$(BIN)/python -m pip install --quiet 'tree-sitter>=0.25' 'tree-sitter-rust>=0.24'
	$(BIN)/python tests/mutants.py $(MUTANTS)

# Plants errors and demands that a test finds each. PLANTED="'lost: moved' undecided" chooses two.
planted: dev
	$(BIN)/python tests/planted.py $(PLANTED)

# The tests of the core with AddressSanitizer, whose runtime comes with the toolchain.
HOST = $(shell rustc -vV | sed -n 's/host: //p')
asan:
	RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address RUST_MIN_STACK=67108864 \
		cargo test --quiet --profile mutants --target $(HOST) --target-dir target/asan

# Those of the core's batches and queries in Miri: `rustup toolchain install nightly --component miri,rust-src`.
# Left out: four with many rows, the first of which had not ended after three minutes.
MANY_ROWS = masked_rows lowest_bad_row rows_of_all_kinds a_single_polygon_is_examined_once
miri:
	MIRIFLAGS='-Zmiri-disable-isolation -Zmiri-ignore-leaks -Zmiri-tree-borrows' \
		cargo +nightly miri test --target-dir target/miri --test core -- \
		$(addprefix --skip ,$(MANY_ROWS)) batch:: questions::

# Some tests in Python with Valgrind. The interpreter takes its memory from malloc, so that it is watched.
# It is reported itself when modules are imported: only what has a frame of the extension counts. That is built
# without optimisation, which may read the value of an `Option` before it is known to be there. Left out: a test
# with many rows, which had not ended after eight minutes.
MEMCHECK := target/memcheck
memcheck: dev
	PYO3_PYTHON=$(CURDIR)/$(BIN)/python cargo build --quiet --locked --profile mutants --features python --lib
	rm -rf $(MEMCHECK) && mkdir -p $(MEMCHECK) && cp -R python/carom $(MEMCHECK)
	cp target/mutants/libcarom.so $(MEMCHECK)/carom/_core.abi3.so
	PYTHONPATH=$(MEMCHECK) PYTHONMALLOC=malloc valgrind --quiet --log-file=$(MEMCHECK)/log \
		$(BIN)/python -m pytest -q -p no:cacheprovider -o faulthandler_timeout=0 -k 'not lowest_bad_row' \
			tests/test_arrow.py tests/test_bad_input.py
	! grep -B10 -A10 '_core\.abi3' $(MEMCHECK)/log

# Licences, sources, duplicates and build scripts of all dependencies.
audit:
	cargo deny --version > /dev/null || cargo install --quiet --locked cargo-deny
	cargo deny --locked check bans licenses sources

# Known vulnerabilities of the dependencies, from databases that are fetched: PyPI's, and RustSec's from GitHub.
advisories: audit dev
	$(BIN)/python -m pip install --quiet pip-audit
	$(BIN)/python -m pip_audit --strict --skip-editable
	cargo deny --locked check advisories

clean:
	rm -rf $(VENV) target dist python/docs/generated

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# An editable install of the development build. Maturin takes the environment from VIRTUAL_ENV, and
# refuses to choose if Conda names another one.
define develop
	env -u CONDA_PREFIX VIRTUAL_ENV=$(CURDIR)/$(VENV) \
		$(BIN)/maturin develop --quiet --locked --profile $(CAROM_PROFILE) --extras $(EXTRAS)
	rm -f $(VENV)/bench.installed
endef

$(BIN)/maturin: | $(BIN)/python
	$(BIN)/python -m pip install --quiet 'maturin>=1.9.4,<2'

$(VENV)/demo.installed: EXTRAS = plot
$(VENV)/demo.installed: $(RUST) | $(BIN)/maturin
	$(develop)
	touch $@

$(VENV)/dev.installed: EXTRAS = plot,test
$(VENV)/dev.installed: $(RUST) | $(BIN)/maturin
	$(develop)
	touch $@ $(VENV)/demo.installed

$(VENV)/docs.installed: EXTRAS = docs,geo,plot,test
$(VENV)/docs.installed: $(RUST) | $(BIN)/maturin
	$(develop)
	touch $@ $(VENV)/demo.installed $(VENV)/dev.installed

$(VENV)/arrow.installed: EXTRAS = arrow-test,plot,test
$(VENV)/arrow.installed: $(RUST) | $(BIN)/maturin
	$(develop)
	touch $@ $(VENV)/demo.installed $(VENV)/dev.installed

$(VENV)/bench.installed: $(SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet '.[bench]'
	rm -f $(VENV)/*.installed
	touch $@
