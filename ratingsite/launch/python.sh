# Sets $python to a Python that is new enough and can make a virtual environment. Sourced by ./portal and ./test.
python=
for candidate in ${PORTAL_PYTHON:-} python3.11 python3.12 python3.13 python3.14 python3; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null
    then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "The portal needs Python 3.11 to 3.14 with its venv module, and found none on the path." >&2
    echo "Install python3.11 (on Debian also python3.11-venv), or set PORTAL_PYTHON to the interpreter." >&2
    exit 1
fi
