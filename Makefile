PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
INSTALLED_DOCS := $(VENV)/.installed-docs
INSTALLED_CI := $(VENV)/.installed-ci
RECORDS ?= 10000
SEED ?= 0

.PHONY: demo test papers fuzz lint docs models tables clean

demo: $(INSTALLED) ## show the sample records of four languages with what is to be hidden
	@$(BIN)/python examples/demo.py

test: $(INSTALLED) ## run all tests
	$(BIN)/python -m pytest

papers: $(INSTALLED) ## run the experiments of the papers on a few dummy records: veil reproduce --fast
	@for paper in $$($(BIN)/python -c "from veil.learn.reproduce import papers; print(*papers())"); do \
	    OMP_NUM_THREADS=1 $(BIN)/veil reproduce $$paper --fast --quiet > /dev/null || exit 1; \
	    echo "$$paper: done"; \
	done

fuzz: $(INSTALLED) ## mask broken files with planted identifiers: make fuzz RECORDS=500 SEED=3
	OMP_NUM_THREADS=1 $(BIN)/python -m tools.fuzz --records $(RECORDS) --seed $(SEED)

lint: $(INSTALLED) ## run the linters and the type checker
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

docs: $(INSTALLED_DOCS) ## write the generated pages of docs/ and build the site: build/docs/index.html
	$(BIN)/python tools/make_cli_reference.py
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b html docs build/docs
	@echo "build/docs/index.html"

models: $(INSTALLED) ## train the bundled models anew; VEIL_CORPORA is the folder with the open corpora
	cd training && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python build.py

tables: $(INSTALLED) ## write the tables that make the start of Veil fast; run it after a change of rules or lexicons
	$(BIN)/python tools/make_tables.py

clean: ## remove what the other targets made
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/veil/_native.*

$(INSTALLED): pyproject.toml constraints.txt $(wildcard native/*)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	$(BIN)/python tools/make_tables.py
	@touch $@

$(INSTALLED_DOCS): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[docs]"
	@touch $@

# What tests of the service, the data frames and the cluster need besides: they are skipped without it.
$(INSTALLED_CI): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[ci]"
	@touch $@
