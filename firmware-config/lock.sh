#!/usr/bin/env bash
# Writes anew which packages the Pi gets, each by its version and its hashes: run it when pyproject.toml changed, or to
# take newer versions. Needs uv (pip install uv) and a network.
#
#   firmware-config/lock.sh
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# One release of Raspberry Pi OS, with its own Python.
lock() {
    local codename=$1 python=$2
    UV_CUSTOM_COMPILE_COMMAND=firmware-config/lock.sh uv pip compile --quiet --upgrade --no-annotate \
        --generate-hashes --only-binary :all: --python-platform aarch64-unknown-linux-gnu --python-version "$python" \
        --extra pi --extra mqtt --output-file "$here/requirements-$codename.txt" \
        "$here/../pyproject.toml" - <<< "hatchling>=1.25"
}

lock bookworm 3.11
lock trixie 3.13
