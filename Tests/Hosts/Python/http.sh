#!/bin/sh
# The Python package with both libraries beside it: python.sh ROOT PYTHON libskan.so libskan-http.so
set -eu
root=$(cd "$1" && pwd)
python=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
trap 'exit 1' INT TERM

mkdir "$directory/tmp"
cp -R "$root/Bindings/Python/libskan" "$directory/libskan"
mkdir -p "$directory/libskan/_lib"
cp "$3" "$directory/libskan/_lib/libskan.so"
cp "$4" "$directory/libskan/_lib/libskan-http.so"
export PYTHONPATH="$directory" PYTHONDONTWRITEBYTECODE=1 TMPDIR="$directory/tmp"
configuration="$root/Bindings/Python/pyproject.toml"
"$python" -m mypy --strict --config-file "$configuration" --cache-dir "$directory/mypy" \
    "$root/Tests/HTTP/server.py" "$root/Tests/HTTP/test_http.py"
"$python" -m ruff check --no-cache --config "$configuration" "$root/Tests/HTTP"
"$python" -m ruff format --check --no-cache --config "$configuration" "$root/Tests/HTTP"
"$python" -m pytest -q --timeout=1200 -p no:cacheprovider "$root/Tests/HTTP/test_http.py"
