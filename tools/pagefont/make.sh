#!/usr/bin/env bash
# Makes app/web/src/fonts anew: fetches Inter from npm, and the fonts whose widths are measured from npm and Debian.
# It needs npm, apt-get and Python with venv. Then `go run -C tools ./pagebuild` puts the result into the page.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
fonts=$here/../../app/web/src/fonts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd -- "$work"

npm pack --silent inter-ui@4.1.1 @fontsource/roboto@5.3.0 @fontsource/noto-sans@5.3.0
apt-get download -q fonts-liberation fonts-dejavu-core
for archive in *.tgz; do
	mkdir "${archive%.tgz}" && tar -xzf "$archive" -C "${archive%.tgz}"
done
for package in *.deb; do
	dpkg-deb -x "$package" debian
done
mkdir inputs
cp inter-ui-*/package/variable/InterVariable.woff2 fontsource-*/package/files/*-latin-[47]00-normal.woff2 inputs
find debian \( -name 'LiberationSans-Regular.ttf' -o -name 'LiberationSans-Bold.ttf' -o -name 'DejaVuSans.ttf' -o -name 'DejaVuSans-Bold.ttf' \) -exec cp {} inputs \;

python3 -m venv python
python/bin/pip install -q -r "$here/requirements.txt"
python/bin/python "$here/pagefont.py" inputs "$fonts"
cp inter-ui-*/package/LICENSE.txt "$fonts/LICENSE.txt"
