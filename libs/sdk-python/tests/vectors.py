"""What the tests of both clients read: libs/sdk/vectors."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ.get("SDK_VECTORS") or Path(__file__).parents[2] / "sdk" / "vectors")


def vectors(name: str) -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))
