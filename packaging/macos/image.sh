#!/bin/sh
# Makes the disk image of an app on a Mac: image.sh fsdesk.app fsdesk.dmg VERSION
#   FSDESK_CODESIGN_IDENTITY  signs, for example "Developer ID Application: Name (TEAM)"; without it, ad hoc
#   FSDESK_NOTARY_PROFILE     notarises, by the profile that `xcrun notarytool store-credentials` has kept
# No one has run this yet: see packaging/README.md.
set -eu

app="$1"
image="$2"
version="$3"
here="$(cd "$(dirname "$0")" && pwd)"
identity="${FSDESK_CODESIGN_IDENTITY:--}"

# From the inside out: libraries, then the program, then the app around them.
find "$app/Contents" -type f \( -name '*.so' -o -name '*.dylib' \) -print0 |
    xargs -0 -n 50 codesign --force --timestamp --options runtime --sign "$identity"
codesign --force --timestamp --options runtime --entitlements "$here/entitlements.plist" --sign "$identity" "$app"
codesign --verify --deep --strict "$app"

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cp -R "$app" "$folder/"
ln -s /Applications "$folder/Applications"
rm -f "$image"
hdiutil create -volname "fsdesk $version" -srcfolder "$folder" -fs HFS+ -format ULMO "$image"

if [ "$identity" != "-" ]; then
    codesign --force --timestamp --sign "$identity" "$image"
fi
if [ -n "${FSDESK_NOTARY_PROFILE:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$FSDESK_NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
    spctl --assess --type open --context context:primary-signature --verbose "$image"
fi
