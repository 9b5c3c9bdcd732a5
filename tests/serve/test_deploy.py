"""The examples of the documentation and of deploy/ fit the service."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.requirements import needs

from veil.cli import build_parser

from .conftest import Server, running

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "serve.md"
DEPLOY = ROOT / "deploy"
_ADDRESS = "http://127.0.0.1:8000"
_NOTE = "Seen by Dr. Anna Smith."


def examples() -> Iterator[tuple[str, str]]:
    """The commands of the page with what they print."""
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S):
        for each in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = each.partition("\n")
            yield command, printed


@pytest.mark.parametrize(("command", "printed"), list(examples()))
def test_examples_of_the_page_run(server: Server, command: str, printed: str) -> None:
    """Each command of the page prints what the page says; three dots stand for anything."""
    if shutil.which("curl") is None:
        needs("curl")
    done = subprocess.run(
        ["bash", "-c", command.replace(_ADDRESS, server.url)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "no_proxy": "*"},
    )
    pattern = ".*".join(map(re.escape, printed.strip().split("...")))
    assert re.fullmatch(pattern, done.stdout.strip()), done.stdout


def test_python_example_runs(server: Server) -> None:
    """The function of the page masks a text."""
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    names: dict[str, Any] = {}
    exec(compile(code, PAGE.name, "exec"), names)  # noqa: S102 - our own text
    assert names["mask"](_NOTE, url=f"{server.url}/mask") == "Seen by Dr. [DOCTOR-1]."


_NO_WRITING = """
import os, sys

def refuse(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and arguments[0] != os.devnull:
        flags = arguments[2] if isinstance(arguments[2], int) else 0
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise PermissionError(30, "read-only file system", arguments[0])
    elif event in ("os.mkdir", "os.rename", "os.remove"):
        raise PermissionError(30, "read-only file system")

sys.addaudithook(refuse)
"""


def test_service_writes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service starts and masks texts and resources while no file can be opened to write."""
    (tmp_path / "sitecustomize.py").write_text(_NO_WRITING, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    write = subprocess.run(
        [sys.executable, "-c", "open('x', 'w')"], cwd=tmp_path, capture_output=True, check=False
    )
    assert b"read-only file system" in write.stderr
    with running(tmp_path, "--workers", "1", "--lang", "en") as server, server.client() as client:
        response = client.post("/mask", json={"text": _NOTE, "policy": "surrogate"})
        assert response.status_code == 200
        resource = {"resourceType": "Patient", "id": "1", "name": [{"family": "Berg"}]}
        assert client.post("/fhir/$deidentify", json=resource).status_code == 200


def yaml_of(name: str) -> list[Any]:
    try:
        import yaml
    except ImportError:
        needs("the package PyYAML")
    return list(yaml.safe_load_all((DEPLOY / name).read_text("utf-8")))


def check_options(arguments: list[str]) -> None:
    """The command line of a container is one that `veil serve` takes."""
    args = build_parser().parse_args(["serve", *arguments])
    assert args.token_file


def entry_point() -> list[str]:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    (listed,) = re.findall(r"^ENTRYPOINT \[(.*)\]$", text, re.MULTILINE)
    words = re.findall(r'"([^"]+)"', listed)
    assert words[:2] == ["veil", "serve"]
    return words[2:]


def test_dockerfile_builds_offline_for_a_user() -> None:
    """The image takes packages from the folder alone, and runs as an ordinary user."""
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    assert "--no-index --find-links /wheels" in text
    assert re.search(r"^USER 10001:10001$", text, re.MULTILINE)
    assert not re.search(r"apt-get|curl |wget |https?://(?!127\.0\.0\.1)", text)
    assert text.index("USER 10001") < text.index("ENTRYPOINT")
    (default,) = re.findall(r"^CMD \[(.*)\]$", text, re.MULTILINE)
    check_options([*entry_point(), *re.findall(r'"([^"]+)"', default)])


def test_compose_file_is_strict() -> None:
    """The service of the compose file is read-only, without privileges, on this machine alone."""
    (data,) = yaml_of("compose.yaml")
    service = data["services"]["veil"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["build"]["network"] == "none"
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert set(service["secrets"]) == set(data["secrets"])
    check_options([*entry_point(), *service["command"]])


def test_kubernetes_example_has_probes() -> None:
    """The container has probes on routes that exist, mounts its secrets and cannot write."""
    deployment, service = yaml_of("kubernetes.yaml")
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert container["securityContext"]["allowPrivilegeEscalation"] is False
    paths = {
        name: container[name]["httpGet"]["path"]
        for name in ("startupProbe", "readinessProbe", "livenessProbe")
    }
    assert paths == {
        "startupProbe": "/ready",
        "readinessProbe": "/ready",
        "livenessProbe": "/health",
    }
    (mount,) = container["volumeMounts"]
    (volume,) = pod["volumes"]
    assert mount["name"] == volume["name"]
    check_options([*entry_point(), *container["args"]])
    assert all(mount["mountPath"] in each for each in container["args"] if "/run" in each)
    selector = service["spec"]["selector"]
    assert selector.items() <= deployment["spec"]["template"]["metadata"]["labels"].items()
