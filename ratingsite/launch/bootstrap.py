"""First half of ./portal, run by any Python 3.11 or later: makes .venv as locked, then hands over to it.

Uses the standard library only, and of the portal the names of the options.
"""

import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PRODUCTION_SIGNS = ("PORTAL_SECRET_KEY", "PORTAL_ORIGIN", "PORTAL_HOSTS", "PORTAL_DEBUG", "PORTAL_DEMO")


def make_environment(folder: Path, *locks: Path) -> None:
    """Makes the virtual environment `folder` hold exactly what `locks` say; quick when it does already.

    Raises SystemExit with a remedy when that fails.
    """
    python = folder / "bin" / "python"
    if not _works(python):
        print(f"Making a virtual environment in {folder} …", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        _run([sys.executable, "-m", "venv", str(folder)], "Could the folder be written, is the disk full?")
    for lock in locks:
        stamp, digest = folder / f"{lock.name}.sha256", hashlib.sha256(lock.read_bytes()).hexdigest()
        if stamp.exists() and stamp.read_text() == digest:
            continue
        print(f"Installing {lock.name} …", flush=True)
        command = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-deps"]
        command += ["--require-hashes", "--only-binary", ":all:", "--requirement", str(lock)]
        _run(command, "Is the package registry reached? Try again; what is installed already is kept.")
        stamp.write_text(digest)


def _works(python: Path) -> bool:
    try:
        return subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode == 0
    except OSError:
        return False


def _run(command: list[str], hint: str) -> None:
    if subprocess.run(command, stdin=subprocess.DEVNULL).returncode:
        raise SystemExit(f"This failed: {' '.join(command)}\n{hint}")


def take_lock(var: Path) -> int:
    """The descriptor of the lock that one start per folder holds until it ends.

    Raises SystemExit when another start holds it.
    """
    try:
        var.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(var / "portal.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise SystemExit(f"{var} cannot be written ({error.strerror}): set PORTAL_VAR.") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = (var / "portal.lock").read_text().strip()
        raise SystemExit(f"The portal runs already in this folder ({holder}). End that one first.") from None
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"process {os.getpid()}".encode())
    return descriptor


def end_on_signals() -> None:
    """Turns the signals that end a program into SystemExit, so that children are ended too."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda got, _: sys.exit(128 + got))


def main() -> None:
    os.chdir(ROOT)
    end_on_signals()
    if not any(os.environ.get(name) for name in PRODUCTION_SIGNS):
        os.environ["PORTAL_DEMO"] = "1"
    os.environ["DJANGO_SETTINGS_MODULE"] = "ratingsite.settings"  # not that of another project
    folder = ROOT / ".venv"
    arguments = sys.argv[1:]
    if arguments[:1] == ["manage"]:
        make_environment(folder, ROOT / "requirements.txt")
        command = [str(folder / "bin" / "python"), "manage.py", *arguments[1:]]
    else:
        if {"-h", "--help"} & set(arguments):
            from options import parser  # beside this file, which runs as a script

            parser().parse_args(["--help"])
        lock = take_lock(Path(os.environ.get("PORTAL_VAR") or ROOT / "var"))
        os.set_inheritable(lock, True)
        os.environ["PORTAL_LOCK_FD"] = str(lock)
        make_environment(folder, ROOT / "requirements.txt")
        command = [str(folder / "bin" / "python"), "-m", "ratingsite.launch", *arguments]
    sys.stdout.flush()
    os.execv(command[0], command)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
