# `make demo` referees a bundled clip on a page in your browser, `make test` checks the
# Python code and runs all tests, `make page-check` checks the scripts of the page.
# Each sets up a Python environment in .venv first; without make see "Without make" in README.md.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test page-check bench clean

demo: $(VENV)/run.stamp
	@echo "Starting the demo."
	@$(BIN)/referee demo

test: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	@# While mypy checks the types, a first look at the tests compiles them, once for all processes.
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest --collect-only -qq > /dev/null 2>&1 & \
	  first=$$!; trap 'kill $$first' INT TERM; \
	  echo $(BIN)/mypy; $(BIN)/mypy; mypy=$$?; wait $$first; exit $$mypy
	@# Three processes on two cores, because tests of pages wait for the browser. Each begins with a
	@# stretch of its own, so that what the tests of a file share is seldom made twice.
	$(BIN)/python -m pytest -n 3 --dist worksteal

# Needs node and npm; where they are missing they are taken from PyPI. Neither demo nor test needs them.
page-check: $(VENV)/run.stamp
	@command -v npm > /dev/null || $(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[ci]'
	$(BIN)/python -m web_ui.contract | diff web_ui/types/contract.schema.json -
	cd web_ui && export PATH="$$PATH:$(abspath $(BIN))" && npm ci --no-audit --no-fund && npm run check

bench: $(VENV)/test.stamp
	$(BIN)/python -m benchmarks.run $(CLIPS)

clean:
	rm -rf $(VENV) *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/run.stamp: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name it with: make PYTHON=python3.11 demo")'
	@echo "Setting up, once: a Python environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) || { echo "The environment could not be made. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "Installing the referee and the libraries it stands on; this takes a minute or two ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable .
	@touch $@

$(VENV)/test.stamp: $(VENV)/run.stamp
	@echo "Installing what the tests need ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[test]'
	@touch $@
