#!/bin/sh
# Takes systemd-run's words, keeps them beside itself, and becomes the command, as the real one does with --scope.
printf '%s\n' "$*" >> "$(dirname "$0")/calls"
while [ "$1" != "--" ]; do shift; done
shift
exec "$@"
