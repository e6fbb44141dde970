#!/bin/sh
# Installs fsdesk for one user, without root; the .run archive starts this among the unpacked files.
#   sh fsdesk-VERSION-linux-x86_64.run                          into ~/.local
#   sh fsdesk-VERSION-linux-x86_64.run -- --prefix /some/folder  elsewhere
#   ~/.local/opt/fsdesk/uninstall                               removes it; projects and settings stay
set -eu

prefix="$HOME/.local"
if [ "${1:-}" = "--prefix" ]; then
    prefix="$2"
fi
program="$prefix/opt/fsdesk"
share="$prefix/share"

refresh() {
    if command -v update-mime-database >/dev/null; then update-mime-database "$share/mime" || true; fi
    if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$share/applications" || true; fi
}

# A new version is put beside the old one and takes its place at once.
mkdir -p "$prefix/opt" "$prefix/bin"
rm -rf "$program.new" "$program.old"
cp -a opt/fsdesk "$program.new"
if [ -e "$program" ]; then mv "$program" "$program.old"; fi
mv "$program.new" "$program"
rm -rf "$program.old"
ln -sfn "$program/fsdesk" "$prefix/bin/fsdesk"

list="$program/installed.txt"
(cd usr/share && find . -path ./doc -prune -o -path ./lintian -prune -o -type f -print) >"$list"
while read -r file; do
    mkdir -p "$share/$(dirname "$file")"
    cp "usr/share/$file" "$share/$file"
done <"$list"
sed -i "s|^Exec=fsdesk|Exec=\"$program/fsdesk\"|" "$share/applications/fsdesk.desktop"
refresh

cat >"$program/uninstall" <<END
#!/bin/sh
# Removes fsdesk as it was installed here; projects and settings stay.
set -eu
share="$share"
while read -r file; do rm -f "$share/\$file"; done <"$list"
rm -f "$prefix/bin/fsdesk"
rm -rf "$program"
if command -v update-mime-database >/dev/null; then update-mime-database "$share/mime" || true; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$share/applications" || true; fi
END
chmod +x "$program/uninstall"
echo "fsdesk is in $program and starts with $prefix/bin/fsdesk; $program/uninstall removes it."
