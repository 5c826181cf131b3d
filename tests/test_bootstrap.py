"""The bootstrap, tried on a tiny project with one package of its own and no network."""

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest

from fiveup_ref import bootstrap

# Making a .venv takes seconds, on a busy machine many: all on one worker, so that it is made once.
pytestmark = [pytest.mark.xdist_group("bootstrap"), pytest.mark.timeout(180)]

PROGRAM = """
import sys
from fiveup_ref.bootstrap import ensure
ensure("requirements.txt")
import tiny
print(tiny.NUMBER, sys.argv[1:], sys.prefix)
"""


# Status, output, and the lines that the person sees meanwhile.
End = tuple[int, str, list[str]]


def end_of(process: subprocess.Popen[str]) -> End:
    out, err = process.communicate()
    return process.returncode, out, err.splitlines()


class Project:
    """A project in a folder, with wheels of `tiny` 1 and 2 at hand."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / ".venv"

    def lock(self, number: int) -> None:
        digest = hashlib.sha256(wheel(self.root / "wheels", number).read_bytes()).hexdigest()
        (self.root / "requirements.txt").write_text(f"tiny=={number}.0 \\\n    --hash=sha256:{digest}\n")

    def popen(self, *command: str, **environment: str) -> subprocess.Popen[str]:
        pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.root / "wheels"), "PIP_CONFIG_FILE": os.devnull}
        return subprocess.Popen(
            [sys.executable, *(command or ("app.py", "a b", "--c"))],
            cwd=self.root,
            env={**os.environ, **pip, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def start(self, *command: str, **environment: str) -> End:
        with self.popen(*command, **environment) as process:
            return end_of(process)

    def half_make(self) -> None:
        """Leave what an interrupted first start leaves: an interpreter that does not run, some files, no stamp."""
        python = bootstrap.python_of(self.home)
        python.parent.mkdir(parents=True)
        python.write_text("not a program")
        (self.home / "lib" / "half").mkdir(parents=True)

    def greeting(self, number: int) -> str:
        return f"{number} ['a b', '--c'] {self.home}\n"


def wheel(folder: Path, number: int) -> Path:
    folder.mkdir(exist_ok=True)
    info = f"tiny-{number}.0.dist-info"
    files = {
        "tiny.py": f"NUMBER = {number}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: tiny\nVersion: {number}.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},sha256={digest(text)},{len(text)}\n" for name, text in files.items())
    path = folder / f"tiny-{number}.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return path


def digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def new_project(root: Path) -> Project:
    (root / "fiveup_ref").mkdir(parents=True)
    (root / "fiveup_ref" / "__init__.py").touch()
    shutil.copy(bootstrap.__file__, root / "fiveup_ref")
    (root / "app.py").write_text(PROGRAM)
    project = Project(root)
    project.lock(1)
    return project


@pytest.fixture
def empty(tmp_path: Path) -> Project:
    return new_project(tmp_path / "project")


@dataclass
class Made:
    """A project whose .venv was made by two starts at the same time, and what each of them said."""

    project: Project
    told: list[End]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Made:
    project = new_project(tmp_path_factory.mktemp("bootstrap") / "project")
    project.half_make()
    with project.popen() as one, project.popen() as other:
        return Made(project, [end_of(one), end_of(other)])


@pytest.fixture
def made(first: Made, tmp_path: Path) -> Project:
    """A project for each test to spoil; its .venv is a copy, which works, for only its interpreter is called."""
    project = new_project(tmp_path / "project")
    shutil.copytree(first.project.home, project.home, symlinks=True, copy_function=os.link)
    stamp = project.home / "stamp"
    stamp.unlink()
    stamp.write_text("\n".join(bootstrap.stamp_of(project.home, [project.root / "requirements.txt"])))
    return project


def test_two_first_starts_at_once_make_one_venv(first: Made) -> None:
    for status, out, lines in first.told:
        assert (status, out, len(lines)) == (0, first.project.greeting(1), 1)
        assert lines[0].startswith("Installing the packages of requirements.txt into .venv")


def test_a_half_made_venv_is_made_again(first: Made) -> None:
    assert not (first.project.home / "lib" / "half").exists()


def test_a_later_start_has_nothing_to_do(made: Project) -> None:
    before = (made.home / "stamp").stat().st_mtime_ns
    assert made.start() == (0, made.greeting(1), [])
    assert (made.home / "stamp").stat().st_mtime_ns == before


def test_without_its_stamp_a_venv_counts_as_half_made(made: Project) -> None:
    (made.home / "stamp").unlink()
    assert not bootstrap.is_ready(made.home, [made.root / "requirements.txt"])


def test_a_changed_lock_is_installed_into_the_same_venv(made: Project) -> None:
    (made.home / "kept").touch()
    made.lock(2)
    status, out, lines = made.start()
    assert (status, out, len(lines)) == (0, made.greeting(2), 1)
    assert (made.home / "kept").exists()
    assert made.start() == (0, made.greeting(2), [])


def test_a_damaged_venv_is_told_and_made_again_at_the_next_start(made: Project) -> None:
    shutil.rmtree(next(made.home.glob("**/tiny-1.0.dist-info")))
    status, out, lines = made.start()
    assert (status, out) == (1, "")
    assert lines == ["The packages in .venv are damaged. Start again: .venv will be made anew."]
    assert not bootstrap.is_ready(made.home, [made.root / "requirements.txt"])


def test_a_venv_whose_interpreter_has_gone_is_not_ready(made: Project) -> None:
    locks = [made.root / "requirements.txt"]
    assert bootstrap.is_ready(made.home, locks)
    bootstrap.python_of(made.home).unlink()
    assert not bootstrap.is_ready(made.home, locks)


def test_without_a_connection_one_line_says_so(made: Project) -> None:
    made.lock(2)
    status, out, lines = made.start(PIP_NO_INDEX="0", PIP_FIND_LINKS="", PIP_INDEX_URL="http://127.0.0.1:9/")
    assert (status, out) == (1, "")
    assert lines[1:] == [
        "The packages could not be fetched: there is no connection. The first start needs the internet."
    ]
    assert not bootstrap.is_ready(made.home, [made.root / "requirements.txt"])


def test_a_package_with_another_hash_is_refused(made: Project) -> None:
    lock = made.root / "requirements.txt"
    made.lock(2)
    lock.write_text(lock.read_text().split("sha256:")[0] + "sha256:" + "0" * 64 + "\n")
    status, out, lines = made.start()
    assert (status, out, len(lines)) == (1, "", 2)
    assert lines[1].startswith("-m pip install failed: ")


def test_without_the_venv_module_one_line_says_what_to_install(empty: Project) -> None:
    status, out, lines = empty.start("-c", "import sys; sys.modules['ensurepip'] = None\n" + PROGRAM)
    assert (status, out) == (1, "")
    assert lines == ["Python's venv module is missing. On Debian and Ubuntu: sudo apt install -y python3 python3-venv"]
    assert not empty.home.exists()


def test_where_a_file_is_in_the_way_one_line_says_so(empty: Project) -> None:
    empty.home.touch()
    status, out, lines = empty.start()
    assert (status, out, len(lines)) == (1, "", 2)
    assert lines[1].startswith(f"{empty.home} cannot be made: ")


def test_nothing_happens_where_the_packages_are(empty: Project) -> None:
    (empty.root / "requirements.txt").write_text(f"pytest=={version('pytest')}\nnobody==1 ; sys_platform == 'other'\n")
    ready = PROGRAM.replace("import tiny", "").replace("tiny.NUMBER", "'here'")
    assert empty.start("-c", ready) == (0, f"here [] {sys.prefix}\n", [])
    assert not empty.home.exists()


@pytest.mark.parametrize(
    ("found", "wanted", "good"),
    [
        ("3.1.3", "3.1.3", True),
        ("3.10", "3.9", True),
        ("3.1.2", "3.1.3", False),
        ("4.0", "3.1.3", False),
        ("0.17.7", "0.17.6", True),
        ("0.18", "0.17.6", False),
        ("3.2b1", "3.1", False),
        ("3.2b1", "3.2b1", True),
        (None, "1.0", False),
        ("1.0", None, False),
        (None, None, True),
    ],
)
def test_which_versions_may_stand_in(found: str | None, wanted: str | None, good: bool) -> None:
    assert bootstrap.is_compatible(found, wanted) is good


@pytest.mark.parametrize("names", [["requirements.txt"], ["requirements.txt", "requirements-dev.txt"]])
def test_the_tests_themselves_run_with_the_locked_packages(names: Sequence[str]) -> None:
    assert bootstrap.has_packages([bootstrap.PROJECT / name for name in names])
