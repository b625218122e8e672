# `make play` and `make test` each set up .venv by themselves; they need Python 3.11 to 3.13, git and make.
# PYTHON=/path/to/python chooses the interpreter, ARGS="..." adds to a command, CAMERA=usb:0, pi, a clip or a
# folder is played on instead of the first camera or, where there is none, the bundled clip. Where the system's Python
# has libcamera (a Raspberry Pi with python3-picamera2), .venv sees the system's packages.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTHONS := $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python)
FITS := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))

# $(call apt,PACKAGES,WHY): installs them where this user may, else prints the one command that does.
define apt
	{ if ! command -v apt-get >/dev/null; then :; \
	  elif [ "$$(id -u)" = 0 ]; then as_root=env; \
	  elif sudo -n true 2>/dev/null; then as_root="sudo -n env"; fi; \
	  if [ -z "$$as_root" ]; then echo "make: $(2); run: sudo apt-get install $(1)" >&2; exit 1; fi; \
	  echo "make: $(2); installing $(1)"; \
	  $$as_root apt-get update -qq && \
	  $$as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(1) >/dev/null; }
endef

.PHONY: play test check format translations accuracy setup install-pi

play: $(READY)
	$(BIN)/titusind play $(if $(CAMERA),--camera $(CAMERA)) $(ARGS)

test: $(READY)
	$(BIN)/python -m pytest $(ARGS)

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

translations: $(READY)
	@for package in scoring table; do \
	  catalogue="--domain $$package"; in="$$package/locales"; \
	  $(BIN)/pybabel -q extract --add-location file --omit-header -w 110 -o $$in/$$package.pot $$package && \
	  $(BIN)/pybabel -q update $$catalogue -i $$in/$$package.pot -d $$in \
	    --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date -w 110 && \
	  $(BIN)/pybabel -q compile $$catalogue -d $$in || exit 1; \
	done

accuracy: $(READY)
	$(BIN)/python -m benchmarks.accuracy

setup: $(READY)

# ARGS=--dry-run only says what it would do.
install-pi:
	@python3 deploy/install_pi.py $(ARGS)

$(READY): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@$(BIN)/python -c 'import cv2' 2>/dev/null || $(call apt,libgl1 libglib2.0-0,OpenCV needs libGL.so.1)
	@$(BIN)/python -c 'import vision.opencv'
	@touch $@

$(BIN)/python:
	@for python in $(PYTHONS); do \
	  "$$python" -c '$(FITS)' 2>/dev/null || continue; \
	  "$$python" -c 'import ensurepip' 2>/dev/null || $(call apt,python3-venv,$$python has no venv) || exit 1; \
	  seen=$$("$$python" -c 'import libcamera' 2>/dev/null && echo --system-site-packages); \
	  "$$python" -m venv $$seen $(VENV) && exit 0; \
	  rm -rf $(VENV); exit 1; \
	done; \
	echo "make: none of $(PYTHONS) is Python 3.11, 3.12 or 3.13; name one: make PYTHON=/path/to/python" >&2; \
	exit 1
