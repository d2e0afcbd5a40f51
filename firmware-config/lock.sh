#!/usr/bin/env bash
# Regenerates the lists of the Pi's packages, with versions and hashes: run it after a change of pyproject.toml, or to
# get newer versions. Needs uv (pip install uv) and a network.
#
#   firmware-config/lock.sh
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Writes the list for one release of Raspberry Pi OS, with its own Python.
lock() {
    local codename=$1 python=$2
    UV_CUSTOM_COMPILE_COMMAND=firmware-config/lock.sh uv pip compile --quiet --upgrade --no-annotate \
        --generate-hashes --only-binary :all: --python-platform aarch64-unknown-linux-gnu --python-version "$python" \
        --extra pi --extra mqtt --output-file "$here/requirements-$codename.txt" \
        "$here/../pyproject.toml" - <<< "hatchling>=1.25"
}

lock bookworm 3.11
lock trixie 3.13
