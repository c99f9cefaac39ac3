from pathlib import Path

import pytest

from referee.session.watching import watch
from tests.session.recording.begun import asked_demo


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run over the first three flicks that nothing interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    assert watch(asked_demo(folder)) == 0
    return folder / "out"
