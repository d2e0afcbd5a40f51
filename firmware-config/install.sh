#!/usr/bin/env bash
# Installs Tachiai on a Raspberry Pi, updates it, or mends it: run it as often as you like.
#
#   sudo ./install.sh [--source DIR|WHEEL] [--dry-run] [--root DIR]
#   sudo ./install.sh --rollback | --uninstall
#
# Each run makes a new environment, checks it, and only then switches to it; the one before stays for --rollback.
# Configuration and data are never overwritten or deleted. With --root everything goes below DIR and neither packages,
# users nor services of this machine are touched.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root="" source=$(dirname "$here") action=install dry=""
readonly kept_versions=3

usage() { sed -n '4,5s/^# *//p' "${BASH_SOURCE[0]}"; }

while [ $# -gt 0 ]; do
    case $1 in
        --dry-run) dry=yes ;;
        --root) root=${2:?--root needs a folder}; shift ;;
        --source) source=${2:?--source needs a folder or a wheel}; shift ;;
        --rollback) action=rollback ;;
        --uninstall) action=uninstall ;;
        --help | -h) usage; exit 0 ;;
        *) echo "install.sh: expected an option, got $1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done

readonly opt=$root/opt/tachiai
readonly versions=$opt/versions
readonly current=$opt/current
readonly service=tachiai.service
readonly files=(
    boot/firmware/tachiai.txt
    etc/systemd/system/tachiai.service
    etc/systemd/system.conf.d/tachiai.conf
    etc/systemd/journald.conf.d/tachiai.conf
    etc/avahi/services/tachiai.service
    etc/tmpfiles.d/tachiai.conf
    etc/sysusers.d/tachiai.conf
)

say() { echo "install.sh: $*"; }
fail() { echo "install.sh: $*" >&2; exit 1; }

# Does something, or only says so.
run() {
    if [ -n "$dry" ]; then echo "would: $*"; else "$@"; fi
}

# Does something to this machine: never with --root.
on_machine() {
    if [ -n "$root" ]; then say "left out below $root: $*"; else run "$@"; fi
}

check_machine() {
    local release=$root/etc/os-release codename
    if [ -z "$root" ]; then
        [ -n "$dry" ] || [ "$(id -u)" = 0 ] || fail "expected root: sudo $0"
        [ "$(getconf LONG_BIT)" = 64 ] || fail "expected a 64-bit system: the models run on nothing less"
    fi
    # shellcheck source=/dev/null
    codename=$(. "$release" 2> /dev/null && echo "${VERSION_CODENAME:-}") || fail "expected $release, got none"
    case $codename in
        bookworm | trixie) ;;
        *) fail "expected Debian bookworm or trixie, got ${codename:-nothing} in $release" ;;
    esac
    echo "$codename"
}

install_packages() {
    on_machine apt-get update -qq
    on_machine apt-get install -y -qq --no-install-recommends \
        python3-picamera2 python3-lgpio python3-spidev python3-venv python3-pip avahi-daemon
}

# Copies a file if it is not there or another one; everybody may read it unless another mode is given.
put() {
    local from=$here/$1 to=$root/$1 mode=${2:-644}
    if cmp -s "$from" "$to"; then return; fi
    say "writes $to"
    run install -D -m "$mode" "$from" "$to"
}

put_files() {
    local file
    for file in "${files[@]}"; do put "$file"; done
    if [ -e "$root/etc/tachiai/tachiai.toml" ]; then
        say "keeps $root/etc/tachiai/tachiai.toml"
    else
        put etc/tachiai/tachiai.toml 600
    fi
    local config=$root/boot/firmware/config.txt
    if [ -e "$config" ] && ! grep -qx "include tachiai.txt" "$config"; then
        say "includes tachiai.txt in $config"
        [ -n "$dry" ] || printf '\n[all]\ninclude tachiai.txt\n' >> "$config"
    fi
    on_machine systemd-sysusers
    on_machine systemd-tmpfiles --create tachiai.conf
}

# Makes a new environment of the system's own Python, which alone sees the distribution's picamera2.
make_environment() {
    local new=$1 codename=$2
    local pip=("$new/bin/python" -m pip install --quiet --disable-pip-version-check)
    run mkdir -p "$versions" || return 1
    run "${TACHIAI_PYTHON:-/usr/bin/python3}" -m venv --system-site-packages "$new" || return 1
    if [ "$(uname -m)" = aarch64 ]; then
        # Exactly what was locked (lock.sh): a package that was changed since, or comes from elsewhere, is refused.
        run "${pip[@]}" --ignore-installed --require-hashes --only-binary :all: \
            --requirement "$here/requirements-$codename.txt" || return 1
        run "${pip[@]}" --no-deps --no-build-isolation "$source" || return 1
        return
    fi
    run "${pip[@]}" "${source}[pi,mqtt]" || return 1
    if [ "$codename" = bookworm ]; then
        # Bookworm's own simplejpeg is built for an older numpy: picamera2 does not start with it.
        run "${pip[@]}" --ignore-installed "simplejpeg>=1.8.1" || return 1
    fi
}

check_environment() {
    local new=$1
    if [ -n "$dry" ]; then echo "would: check $new"; return; fi
    "$new/bin/tachiai" --version || return 1
    "$new/bin/python" -c 'from vision.reading.weights import load; load("watch"); load("tiles")' || return 1
    "$new/bin/tachiai" score 234567m234p55p678s --win 2p > /dev/null || return 1
    if [ -z "$root" ]; then
        "$new/bin/python" -c 'import picamera2, lgpio' || return 1
    fi
}

# Points `current` to a version in one step.
switch_to() {
    local version=$1
    run ln -sfn "versions/$version" "$current.new"
    run mv -T "$current.new" "$current"
    say "uses $version"
}

version_now() { basename "$(readlink "$current" 2> /dev/null)" 2> /dev/null || true; }

# The versions that are there, the newest first.
list_versions() { { find "$versions" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' 2> /dev/null || true; } | sort -r; }

start() {
    on_machine systemctl daemon-reload &&
        on_machine systemctl enable --quiet "$service" &&
        on_machine systemctl restart "$service"
}

install_all() {
    local codename old new
    codename=$(check_machine)
    say "for $codename"
    install_packages
    put_files
    old=$(version_now)
    new=$(date -u +%Y%m%d-%H%M%S)
    while [ -e "$versions/$new" ]; do new=$new+; done
    if ! make_environment "$versions/$new" "$codename"; then
        rm -rf "${versions:?}/$new"
        fail "the new version cannot be installed; ${old:-nothing} is still in use"
    fi
    if ! check_environment "$versions/$new"; then
        rm -rf "${versions:?}/$new"
        fail "the new version does not pass its own check; ${old:-nothing} is still in use"
    fi
    run cp "$here/README.md" "$opt/README.md"
    switch_to "$new"
    if ! start; then
        [ -z "$old" ] || { switch_to "$old" && start; }
        fail "the new version does not start; ${old:-nothing} is in use again: journalctl -u tachiai"
    fi
    # The one in use and those just before it stay.
    list_versions | tail -n "+$((kept_versions + 1))" | while read -r version; do
        [ "$version" = "$(version_now)" ] || run rm -rf "${versions:?}/$version"
    done
    say "done: http://$(hostname).local"
}

roll_back() {
    local now before
    now=$(version_now)
    before=$(list_versions | awk -v now="$now" '$0 < now' | head -n 1)
    [ -n "$before" ] || fail "expected a version before ${now:-none}, got none in $versions"
    switch_to "$before"
    local copy
    for copy in "$root"/var/lib/tachiai/backups/*.format-*.backup; do
        [ ! -e "$copy" ] || say "a journal that $before cannot read was copied before that: tachiai restore $copy"
    done
    start
}

uninstall() {
    local file
    on_machine systemctl disable --now --quiet "$service"
    for file in "${files[@]}"; do run rm -f "$root/$file"; done
    [ ! -e "$root/boot/firmware/config.txt" ] || run sed -i '/^include tachiai.txt$/d' "$root/boot/firmware/config.txt"
    run rm -rf "${opt:?}"
    on_machine systemctl daemon-reload
    say "kept: $root/etc/tachiai and $root/var/lib/tachiai"
}

case $action in
    install) install_all ;;
    rollback) roll_back ;;
    uninstall) uninstall ;;
esac
