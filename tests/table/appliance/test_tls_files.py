"""A certificate or key that cannot be used is named; the table goes on, and no PIN goes over plain HTTP."""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from table.appliance.appliance import run_appliance
from table.cli.live_commands.run import load_run_config
from table.cli.main import build_parser, main
from table.config import load
from table.dashboard.server.page_server import tls_context
from table.runtime.table_errors import ConfigError
from tests.fakes.certificate import make_certificate
from tests.fakes.waiting import PATIENCE_S


def garbage(folder: Path) -> tuple[str, str]:
    for name in ("table.crt", "table.key"):
        (folder / name).write_text("garbage")
    return str(folder / "table.crt"), str(folder / "table.key")


def garbage_key(folder: Path) -> tuple[str, str]:
    certificate, key = make_certificate(folder)
    Path(key).write_bytes(b"\xa5")
    return certificate, key


def cut_certificate(folder: Path) -> tuple[str, str]:
    certificate, key = make_certificate(folder)
    cut_off(certificate)
    return certificate, key


def chain_with_a_cut_end(folder: Path) -> tuple[str, str]:
    certificate, key = make_certificate(folder)
    whole = Path(certificate).read_text()
    Path(certificate).write_text(whole + whole[:300])
    return certificate, key


def cut_key(folder: Path) -> tuple[str, str]:
    certificate, key = make_certificate(folder)
    cut_off(key)
    return certificate, key


def key_without_a_line(folder: Path) -> tuple[str, str]:
    certificate, key = make_certificate(folder)
    first, _, *others = Path(key).read_text().splitlines(keepends=True)
    Path(key).write_text("".join((first, *others)))
    return certificate, key


def cut_off(file: str) -> None:
    Path(file).write_text(Path(file).read_text()[:300])


def short_key(folder: Path) -> tuple[str, str]:
    return make_certificate(folder, "rsa:1024")


def another_key(folder: Path) -> tuple[str, str]:
    certificate, _ = make_certificate(folder)
    (folder / "other").mkdir()
    return certificate, make_certificate(folder / "other")[1]


def key_of_another_kind(folder: Path) -> tuple[str, str]:
    certificate, _ = make_certificate(folder)
    (folder / "other").mkdir()
    return certificate, make_certificate(folder / "other", "ed25519")[1]


def key_with_a_passphrase(folder: Path) -> tuple[str, str]:
    certificate, key = make_certificate(folder)
    openssl = shutil.which("openssl")
    assert openssl is not None
    subprocess.run([openssl, "pkey", "-in", key, "-aes256", "-passout", "pass:secret", "-out", f"{key}.2"], check=True)
    return certificate, f"{key}.2"


def missing(folder: Path) -> tuple[str, str]:
    return str(folder / "none.crt"), str(folder / "none.key")


WRONG = (
    (garbage, "expected a certificate in PEM for TLS, got something else, {certificate}"),
    (garbage_key, "expected a key in PEM for TLS, got something else, {key}"),
    (
        cut_certificate,
        "expected a certificate in PEM for TLS, got one that is cut off, damaged or of an unknown kind, {certificate}",
    ),
    (
        chain_with_a_cut_end,
        "expected a certificate in PEM for TLS, got one that is cut off, damaged or of an unknown kind, {certificate}",
    ),
    (cut_key, "expected a key in PEM for TLS, got one that is cut off, damaged or of an unknown kind, {key}"),
    (
        key_without_a_line,
        "expected a key in PEM for TLS, got one that is cut off, damaged or of an unknown kind, {key}",
    ),
    (short_key, "expected a certificate and its key for TLS, got {certificate} and {key}: ee key too small"),
    (another_key, "expected the key of the certificate {certificate} for TLS, got another, {key}"),
    (key_of_another_kind, "expected the key of the certificate {certificate} for TLS, got another, {key}"),
    (key_with_a_passphrase, "expected a key without a passphrase for TLS, got one with a passphrase"),
    (missing, "expected a file with the certificate for TLS, got"),
)


@pytest.mark.parametrize(("make", "message"), WRONG)
def test_files_on_the_command_line_that_cannot_be_used_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Callable[[Path], tuple[str, str]], message: str
) -> None:
    certificate, key = make(tmp_path)
    words = ["--tls-cert", certificate, "--tls-key", key]
    assert main(["run", "--data", str(tmp_path / "data"), "--port", "0", *words]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"tachiai run: {message.format(certificate=certificate, key=key)}")
    assert err.count("\n") == 1
    assert not (tmp_path / "data").exists()


def configuration(folder: Path, page: str) -> Path:
    file = folder / "tachiai.toml"
    file.write_text(f'[table]\ndata = "{folder / "data"}"\n[page]\nport = 0\n{page}\n', "latin-1")
    return file


@pytest.mark.parametrize(("make", "message"), WRONG)
def test_files_in_the_configuration_that_cannot_be_used_leave_a_table_whose_page_only_this_machine_sees(
    tmp_path: Path, make: Callable[[Path], tuple[str, str]], message: str
) -> None:
    certificate, key = make(tmp_path)
    file = configuration(tmp_path, f'tls_cert = "{certificate}"\ntls_key = "{key}"')
    with run_appliance(load(file)) as appliance:
        assert appliance.config.page.host == "127.0.0.1"
        url = f"http://127.0.0.1:{appliance.port}/api/health"
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
            health = json.load(answer)
    (problem,) = health["problems"]
    assert problem.startswith(message.format(certificate=Path(certificate).name, key=Path(key).name))
    assert problem.endswith("the page is only served on this machine, by plain HTTP")


@pytest.mark.parametrize(
    "page",
    [
        'tls_cert = "table.crt',
        "tls_cert = 5",
        'tls_certificate = "table.crt"\ntls_private = "table.key"',
        'tls_cert = "table.crt"',
        'tls_key = "table.key"',
        'tls_cert = "table.crt"\n# caf\xe9',
    ],
)
def test_a_mistake_that_hides_the_certificate_does_not_open_the_page_to_the_network(tmp_path: Path, page: str) -> None:
    loaded = load(configuration(tmp_path, page))
    table = replace(loaded.config.table, data=str(tmp_path / "data"))  # a file that cannot be read names no folder
    with run_appliance(replace(loaded, config=replace(loaded.config, table=table))) as appliance:
        assert appliance.config.page.host == "127.0.0.1"
        assert "only served on this machine" in " ".join(appliance.health().problems)


def test_no_host_on_the_command_line_opens_a_page_that_a_mistake_has_closed(tmp_path: Path) -> None:
    file = configuration(tmp_path, 'tls_cert = "table.crt')
    words = ["run", "--config", str(file), "--host", "0.0.0.0"]  # noqa: S104 - what is refused
    assert load_run_config(build_parser(words).parse_args(words)).config.page.host == "127.0.0.1"


@pytest.mark.parametrize("page", ["", 'tls_cert = ""\ntls_key = ""', 'tls_cert = ""\nprot = 1', "# tls_cert = x\nprot"])
def test_without_tls_a_mistake_changes_nothing_about_who_is_served(tmp_path: Path, page: str) -> None:
    assert load(configuration(tmp_path, page)).config.page.host == "0.0.0.0"  # noqa: S104 - the default


@pytest.mark.parametrize("kind", ["TRUSTED CERTIFICATE", "X509 CERTIFICATE"])
def test_a_certificate_under_each_of_openssls_marks_is_taken(tmp_path: Path, kind: str) -> None:
    certificate, key = make_certificate(tmp_path)
    words = ["-trustout"] if kind.startswith("TRUSTED") else []
    openssl = shutil.which("openssl")
    assert openssl is not None
    subprocess.run([openssl, "x509", "-in", certificate, *words, "-out", f"{certificate}.2"], check=True)
    text = Path(f"{certificate}.2").read_text()
    Path(certificate).write_text(text if words else text.replace("CERTIFICATE", kind))
    assert f"-----BEGIN {kind}-----" in Path(certificate).read_text()
    tls_context((certificate, key))
    cut_off(certificate)
    with pytest.raises(ConfigError, match="expected a certificate in PEM for TLS, got one that is cut off"):
        tls_context((certificate, key))


def test_a_certificate_that_can_be_used_serves_the_network_by_tls(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path)
    file = configuration(tmp_path, f'host = "127.0.0.1"\ntls_cert = "{certificate}"\ntls_key = "{key}"\nprot = 1')
    with run_appliance(load(file)) as appliance:
        assert appliance.config.page.tls_cert == certificate
        (problem,) = appliance.health().problems
        assert "prot" in problem
