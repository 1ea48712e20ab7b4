# Everything runs in .venv, which is made on demand and brought up to date whenever a source is
# newer than what is installed there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Folders count too: theirs is the date on which a file was removed.
SOURCES := pyproject.toml Cargo.toml Cargo.lock README.md \
	$(shell find src python/carom -not -name '*.so' -not -path '*__pycache__*')

.PHONY: demo test lint docs pictures hard bench wheel walk clean

demo: $(VENV)/demo.installed
	$(BIN)/python -m carom demo

test: $(VENV)/test.installed
	cargo test --quiet
	$(BIN)/python -m pytest
	$(BIN)/python -m mypy.stubtest carom --mypy-config-file pyproject.toml

lint: $(VENV)/test.installed
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	PYO3_PYTHON=$(CURDIR)/$(BIN)/python cargo clippy --all-targets --features python -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/nbqa mypy python/examples
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/zizmor --quiet --offline --persona=pedantic .github
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff

# The site, in target/docs: nothing is fetched, a warning is an error, and every link within it leads
# somewhere.
docs: $(VENV)/docs.installed
	rm -rf python/docs/generated
	$(BIN)/python -m sphinx -q -E -W --keep-going -d target/doctrees python/docs target/docs

# The pages' pictures, which are kept beside them.
pictures: $(VENV)/docs.installed
	$(BIN)/python python/docs/pictures.py

# Every noun against the oracle, on a hundred thousand hard cases of convex shapes and of any.
hard: $(VENV)/test.installed
	$(BIN)/python tests/hard.py --shapes convex --cases 100000 --jobs $$(nproc)
	$(BIN)/python tests/hard.py --shapes general --cases 100000 --jobs $$(nproc)

# Beside Shapely and numba. BENCH=--help tells how to ask for less.
bench: $(VENV)/bench.installed
	$(BIN)/python tests/bench/compare.py $(BENCH)

# Built, checked, and tried on every Python that is there.
wheel: $(VENV)/test.installed
	rm -rf dist
	$(BIN)/maturin build --release --locked --interpreter $(BIN)/python --out dist
	$(BIN)/twine check --strict dist/*
	$(BIN)/python tests/wheel.py dist

# What a newcomer does first, with the wheel and nothing else.
walk: wheel
	$(BIN)/python tests/walk.py dist/*.whl

clean:
	rm -rf $(VENV) target dist python/docs/generated

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.installed: $(SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet '.[plot]'
	touch $@

$(VENV)/test.installed: $(SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet '.[plot,test]'
	touch $@ $(VENV)/demo.installed

$(VENV)/docs.installed: $(SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet '.[docs,plot,geo,test]'
	touch $@ $(VENV)/demo.installed $(VENV)/test.installed

$(VENV)/bench.installed: $(SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet '.[bench]'
	touch $@ $(VENV)/demo.installed
