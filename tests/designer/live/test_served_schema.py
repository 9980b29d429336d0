"""schemathesis against the schema a real server serves: no 500, nothing undescribed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.designer.live.conftest import Served, serve

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
    "unsupported_method",
    "negative_data_rejection",
)


@pytest.fixture(scope="module")
def open_door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that does not count requests."""
    server = serve(tmp_path_factory.mktemp("schema"), CALLCHART_RATES="off")
    yield server
    server.processes.stop()
    assert "Traceback" not in server.log.read_text()


@pytest.mark.timeout(400)
def test_every_answer_is_described_and_none_is_a_500(open_door: Served, tmp_path: Path) -> None:
    done = subprocess.run(
        [
            Path(sys.executable).parent / "schemathesis",
            *("run", f"http://127.0.0.1:{open_door.port}/v1/openapi.json"),
            *("-H", f"Authorization: Bearer {open_door.north['token']}"),
            *("--checks", ",".join(CHECKS)),
            *("--phases", "coverage,fuzzing", "--max-examples", "4", "--max-failures", "50"),
            *(
                "--exclude-operation-id",
                "tokens_revoke",
                "--exclude-operation-id",
                "members_update",
            ),
            *("--exclude-operation-id", "members_remove"),  # it would take its own rights away
            *("--generation-deterministic", "--no-color"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=390,
    )
    told = done.stdout + done.stderr
    assert done.returncode == 0, told
    selected, tested = re.findall(r"(?:Selected|Tested): (\d+)", told)[:2]
    assert int(selected) == int(tested) > 35
    assert int(re.findall(r"(\d+) generated", told)[0]) > 500
