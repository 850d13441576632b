#!/bin/sh
# What removing the deb or rpm does beside taking its files away, in place of electron-builder's own script. It fills in
# the names in ${…}.

# The old package's script also runs at an update: with "upgrade" in a deb, and in an rpm with one version that is left.
case "$1" in
  upgrade | 1) exit 0 ;;
esac

# The command and the profile, which the installation made.
if command -v update-alternatives > /dev/null; then
  # It warns that the program is gone, which is the case by now.
  update-alternatives --remove '${executable}' '/opt/${sanitizedProductName}/${executable}' 2> /dev/null || true
else
  rm -f '/usr/bin/${executable}'
fi
profile='/etc/apparmor.d/${executable}'
if [ -f "$profile" ]; then
  apparmor_parser --remove "$profile" || true
  rm -f "$profile"
fi

echo "Hearth is removed. What people wrote is kept, in the home of whoever ran it:"
echo "  ~/.local/share/hearth (or the folder that was chosen)"
echo "Hearth's settings, and a version that an update kept: ~/.config/Hearth Desktop"
echo "Delete these folders yourself if nobody needs them any more."
