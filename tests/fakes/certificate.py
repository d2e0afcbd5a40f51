"""A certificate for `localhost`, made where openssl is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from table.dashboard.server import TlsFiles


def make_certificate(folder: Path, kind: str = "rsa:2048") -> TlsFiles:
    """Makes certificate and key of a kind in a folder; the test skips, loudly, where openssl is absent."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("NO OPENSSL: no certificate can be made, so TLS is not tried")
    certificate, key = folder / "table.crt", folder / "table.key"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", kind, "-nodes", *names, "-keyout", key, "-out", certificate],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return str(certificate), str(key)
