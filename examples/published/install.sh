#!/bin/sh
# Install solvers by others, each Python package in an environment of its own, in build/published.
set -eu
here=$(dirname "$0")
room=${1:-build/published}
python=${PYTHON:-python3}
mkdir -p "$room"

while read -r name packages; do
	if [ ! -e "$room/$name/installed" ]; then
		echo "$name: $packages"
		"$python" -m venv "$room/$name"
		# shellcheck disable=SC2086
		"$room/$name/bin/pip" install --quiet --disable-pip-version-check $packages && touch "$room/$name/installed" ||
			echo "$name: cannot be installed, and will be unsupported" >&2
	fi
done <"$here/packages.txt"

if command -v npm >/dev/null; then
	echo "node: packages of examples/published/package.json"
	cp "$here"/*.mjs "$here/package.json" "$room"
	npm install --silent --no-audit --no-fund --prefix "$room"
else
	echo "no npm: the solvers in JavaScript will be unsupported" >&2
fi
