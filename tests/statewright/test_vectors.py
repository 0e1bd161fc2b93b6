"""The engine vectors: every row of the development set, where that set is at hand."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
VECTORS = ROOT.parent / "shared" / "fixtures" / "statewright" / "engine_vectors.jsonl"


def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score_vectors", ROOT / "bench" / "score_vectors.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["score_vectors"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not VECTORS.exists(), reason="the engine vectors are not beside this checkout")
def test_every_row_agrees() -> None:
    """Rows marked same equal the engine, rows marked differs equal the law."""
    rows, right, wrong = scorer().score(VECTORS)

    assert [] == wrong
    assert rows == right


def test_a_wrong_answer_is_told(tmp_path: Path) -> None:
    """The scorer can fail: a row that wants the opposite is a disagreement."""
    row = '{"id": "x", "op": "glob", "request": {"pattern": "a", "path": "a"}, "engine": {"match": false}, '
    file = tmp_path / "rows.jsonl"
    file.write_text(row + '"agentfsm": "same", "why": "wrong on purpose"}\n')

    assert 1 == scorer().main([str(file)])
