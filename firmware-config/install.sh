#!/usr/bin/env bash
# Installs Tachiai on a Raspberry Pi, updates it, or repairs it: run it as often as you like.
#
#   sudo ./install.sh [--country XX] [--source DIR|WHEEL] [--dry-run] [--root DIR]
#   sudo ./install.sh --update [--force] | --rollback | --uninstall
#   sudo ./install.sh --image          (by image.sh, inside a system that does not run yet: nothing is started)
#
# Each run makes a new environment, checks it, and only then switches to it; the previous one stays for --rollback.
# The country, like DE, is the one that the Pi is in: its own access point uses the channels that are allowed there.
# --update first fetches the newest version from the checkout's repository, as an update by phone does
# (tachiai-update.service). It is refused while a game is being played, unless --force is given.
# Configuration and data are never overwritten or deleted. With --root everything is written below DIR, and no package,
# user or service of this machine is changed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P) # the real path, since an update starts this by a link
root="" source=$(dirname "$here") action=install updating="" step=fetch why="" dry="" image="" making="" needs_reboot="" country="" force=""
readonly kept_versions=3
readonly apt_waits=(-o DPkg::Lock::Timeout=600)

usage() { sed -n '4,6s/^# *//p' "${BASH_SOURCE[0]}"; }

options=()
for option; do [[ $option =~ ^--(update|force)$ ]] || options+=("$option"); done
while [ $# -gt 0 ]; do
    case $1 in
        --dry-run) dry=yes ;;
        --root) root=${2:?--root needs a folder}; shift ;;
        --source) source=${2:?--source needs a folder or a wheel}; shift ;;
        --update) action=update updating=yes ;;
        --force) force=yes ;;
        --fetched) updating=yes ;; # by --update itself, with the newest version of this script
        --rollback) action=rollback ;;
        --uninstall) action=uninstall ;;
        --image) image=yes ;;
        --country)
            [[ ${2:-} =~ ^[A-Z][A-Z]$ ]] || { echo "install.sh: expected a country like DE, got ${2:-none}" >&2; exit 2; }
            country=$2
            shift
            ;;
        --help | -h) usage; exit 0 ;;
        *) echo "install.sh: expected an option, got $1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done

readonly opt=$root/opt/tachiai
readonly versions=$opt/versions
readonly current=$opt/current
readonly command=$root/usr/local/bin/tachiai
readonly report=$opt/update.txt
readonly unfinished=unfinished # a file in a version that is not complete: whoever is cut off leaves it there
readonly left=left             # a file in a version that did not start, or that a rollback left: it is removed later
readonly services=(tachiai.service tachiai-access-point.service)
readonly files=(
    boot/firmware/tachiai.txt
    etc/systemd/system/tachiai.service
    etc/systemd/system/tachiai-access-point.service
    etc/systemd/system/tachiai-update.service
    etc/NetworkManager/dnsmasq-shared.d/tachiai.conf
    etc/systemd/system.conf.d/tachiai.conf
    etc/systemd/journald.conf.d/tachiai.conf
    etc/avahi/services/tachiai.service
    etc/tmpfiles.d/tachiai.conf
    etc/sysusers.d/tachiai.conf
    etc/polkit-1/rules.d/50-tachiai.rules
)

say() { echo "install.sh: $*"; }
fail() { why=$*; echo "install.sh: $*" >&2; exit 1; }

# Writes the report that the phone shows of an update: its state, its step and the time, then why it failed.
report_update() {
    [ -n "$updating" ] && [ -z "$dry" ] || return 0
    mkdir -p "$opt"
    printf '%s %s %s\n%s\n' "$1" "$step" "$(date '+%Y-%m-%d %H:%M')" "$why" > "$report.new"
    mv "$report.new" "$report"
}

# Reports the step that begins.
begin() { step=$1; report_update running; }

# Runs a command; with --dry-run only prints it.
run() {
    if [ -n "$dry" ]; then echo "would: $*"; else "$@"; fi
}

# Runs a command that changes this machine: never with --root.
on_machine() {
    if [ -n "$root" ]; then say "left out below $root: $*"; else run "$@"; fi
}

# Runs a command that changes the running system: never with --root or --image.
on_running() {
    if [ -n "$image" ]; then say "left to the first start: $*"; else on_machine "$@"; fi
}

# Removes a version that was begun and is not in use, also after Ctrl-C, and reports how the update ended.
clean_up() {
    local code=$?
    [ -z "$making" ] || rm -rf "${making:?}"
    if [ "$code" = 0 ]; then report_update "done"; else report_update failed; fi
}
trap clean_up EXIT
# Without these traps, the exit code after a signal would be that of the command before, as if nothing were wrong.
trap 'why="it was stopped before it was done"; exit 143' TERM HUP
trap 'why="it was stopped before it was done"; exit 130' INT

# Refuses a machine that Tachiai does not run on; sets `codename` to the release's name.
check_machine() {
    local release=$root/etc/os-release
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
}

# Completes what a power cut left half-installed, without which apt-get refuses everything; a configuration stays its
# owner's. dpkg does not wait for others who install, as apt-get does after it.
complete_packages() {
    on_machine env DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold --configure -a || true
    on_machine env DEBIAN_FRONTEND=noninteractive apt-get "${apt_waits[@]}" install -y -qq --fix-broken
}

install_packages() {
    local wanted=(python3-venv python3-pip avahi-daemon network-manager dnsmasq-base iw)
    local pi=(python3-picamera2 python3-lgpio python3-spidev)
    complete_packages
    on_machine env DEBIAN_FRONTEND=noninteractive apt-get "${apt_waits[@]}" update -qq
    if [ -n "$image" ] && ! apt-cache show python3-picamera2 > /dev/null 2>&1; then
        say "left out, since only Raspberry Pi's archive has them: ${pi[*]}: the table is kept by hand"
        pi=()
    fi
    on_machine env DEBIAN_FRONTEND=noninteractive apt-get "${apt_waits[@]}" install -y -qq --no-install-recommends \
        "${pi[@]}" "${wanted[@]}"
}

# Copies a file that is missing or differs, whole or not at all; everybody may read it unless another mode is given.
put() {
    local from=$here/$1 to=$root/$1 mode=${2:-644}
    if cmp -s "$from" "$to"; then return; fi
    say "writes $to"
    needs_reboot=yes
    run install -D -m "$mode" "$from" "$to.new"
    run put_in_place "$to"
}

# Replaces a file by FILE.new, once that is on the disk: a power cut leaves the old one or the new one.
put_in_place() {
    sync "$1.new"
    mv "$1.new" "$1"
}

put_files() {
    local file
    for file in "${files[@]}"; do put "$file"; done
    if [ -e "$root/etc/tachiai/tachiai.toml" ]; then
        say "keeps $root/etc/tachiai/tachiai.toml"
    else
        put etc/tachiai/tachiai.toml 600
    fi
    include_boot_lines
    if [ -n "$country" ]; then
        say "writes $root/etc/tachiai/access-point.env"
        [ -n "$dry" ] || echo "COUNTRY=$country" > "$root/etc/tachiai/access-point.env"
    fi
    on_machine systemd-sysusers
    on_machine systemd-tmpfiles --create tachiai.conf
}

# Puts our boot lines before all others, so that the owner's own lines come later and take precedence.
include_boot_lines() {
    local config=$root/boot/firmware/config.txt
    if [ ! -e "$config" ] || [ "$(head -n 1 "$config")" = "include tachiai.txt" ]; then return; fi
    say "includes tachiai.txt in $config"
    needs_reboot=yes
    [ -z "$dry" ] || return 0
    { echo "include tachiai.txt"; sed '/^include tachiai.txt$/d' "$config"; } > "$config.new"
    put_in_place "$config"
}

# Makes a new environment with the system's Python, since only that one has the distribution's picamera2.
make_environment() {
    local new=$1 codename=$2
    local pip=("$new/bin/python" -m pip install --quiet --disable-pip-version-check)
    run "${TACHIAI_PYTHON:-/usr/bin/python3}" -m venv --system-site-packages "$new" || return 1
    if [ "$(uname -m)" = aarch64 ]; then
        # pip refuses every package that differs from the locked ones (lock.sh).
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

# Checks the new environment from an empty folder, in which Python finds no checkout.
check_environment() {
    local new=$1 empty code=0
    if [ -n "$dry" ]; then echo "would: check $new"; return; fi
    empty=$(mktemp -d -t tachiai-check.XXXXXX) || return 1
    (cd "$empty" && check_from_here "$new") || code=1
    rm -rf "${empty:?}"
    return "$code"
}

check_from_here() {
    local new=$1
    "$new/bin/tachiai" --version || return 1
    "$new/bin/python" -B "$here/check_installed.py" || return 1
    "$new/bin/tachiai" score 234567m234p55p678s --win 2p > /dev/null || return 1
    if [ -z "$root$image" ]; then
        "$new/bin/python" -B -c 'import picamera2, lgpio' || return 1
    fi
}

# Points `current` to a version, atomically.
switch_to() {
    local version=$1
    run ln -sfn "versions/$version" "$current.new"
    run mv -T "$current.new" "$current"
    say "uses $version"
}

# Remembers the checkout from which updates are fetched; forgets it if this version does not come from one.
remember_checkout() {
    if [ "$source" = "$(dirname "$here")" ] && [ -e "$source/.git" ]; then
        run ln -sfn "$source" "$opt/checkout"
    else
        run rm -f "$opt/checkout"
    fi
}

# Refuses an update while a game is being played, as the phone does; a table that cannot be asked is updated.
refuse_while_playing() {
    local code=0 ask=("$current/bin/python" -B -m table.appliance.game_in_play --config "$root/etc/tachiai/tachiai.toml")
    [ -z "$force" ] && [ -x "$current/bin/python" ] || return 0
    (cd / && "${ask[@]}" 2> /dev/null) || code=$? # a version before this one has no such module
    if [ "$code" = 3 ]; then
        updating="" # the phone keeps showing the report of the previous update
        fail "expected no game being played, got one: end it first, or give --force"
    fi
}

# Brings a checkout to its newest version; the further arguments run a command as the user who owns it. A ref names that
# version until its files are on the disk: if a power cut leaves them and git's index half-written, the next update
# completes them first. Whoever has changed files of the checkout keeps the changes, and has to complete it alone.
fetch_newest() {
    local checkout=$1 as=("${@:2}") cut_off=refs/tachiai/update folder
    local git=("${as[@]}" env GIT_TERMINAL_PROMPT=0 git -C "$checkout")
    if "${git[@]}" rev-parse --verify --quiet "$cut_off" > /dev/null; then
        folder=$("${git[@]}" rev-parse --absolute-git-dir) || return 1
        "${as[@]}" rm -f "$folder/index" "$folder/index.lock"
        "${git[@]}" reset --quiet --hard "$cut_off" || return 1
    fi
    "${git[@]}" fetch --quiet || return 1
    if "${git[@]}" diff --quiet HEAD; then "${git[@]}" update-ref "$cut_off" '@{upstream}' || return 1; fi
    if ! "${git[@]}" merge --quiet --ff-only '@{upstream}'; then
        "${git[@]}" update-ref -d "$cut_off"
        return 1
    fi
    sync
    "${git[@]}" update-ref -d "$cut_off"
}

# Updates the checkout to its newest version, as the user who owns it, and continues with the installer in it.
update() {
    local checkout owner as=()
    checkout=$(dirname "$here")
    refuse_while_playing
    begin fetch
    [ -e "$checkout/.git" ] || fail "expected a checkout that knows where it came from, got $checkout"
    owner=$(stat -c %U "$checkout")
    [ "$owner" = "$(id -un)" ] || as=(runuser -u "$owner" --)
    run fetch_newest "$checkout" "${as[@]}" || fail "the newest version cannot be fetched into $checkout"
    [ -z "$dry" ] || { install_all; return; }
    exec "$here/install.sh" --fetched "${options[@]}"
}

# Makes the command `tachiai` available to everybody.
put_command() {
    [ "$(readlink "$command")" = /opt/tachiai/current/bin/tachiai ] && return
    if [ -e "$command" ]; then say "keeps $command, which is another program"; return; fi
    say "writes $command"
    run mkdir -p "${command%/*}"
    run ln -sfn /opt/tachiai/current/bin/tachiai "$command"
}

version_now() { basename "$(readlink "$current" 2> /dev/null)" 2> /dev/null || true; }

# Prints the installed versions, the newest first.
list_versions() { { find "$versions" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' 2> /dev/null || true; } | sort -r; }

# Lets no second installer work at the same time, and removes the versions that a power cut left half-made, or that were
# left because they were bad: no rollback ends there, and they take no good version's place.
work_alone() {
    local version
    [ -z "$dry" ] || return 0
    mkdir -p "$versions"
    exec {alone}< "$versions"
    if ! flock --nonblock "$alone"; then
        updating="" # the phone keeps showing the report of the other one
        fail "expected no other installation at the same time, got one: wait until it is done"
    fi
    for version in "$versions"/*; do
        if [ -e "$version/$unfinished" ] || { [ -e "$version/$left" ] && [ "${version##*/}" != "$(version_now)" ]; }; then
            rm -rf "$version"
        fi
    done
}

# Prints a name for a new version, which comes after all others also if the clock went back.
new_version() {
    local new newest
    new=$(date -u +%Y%m%d-%H%M%S)
    newest=$(list_versions | head -n 1)
    [[ $new > $newest ]] || new=$newest+
    echo "$new"
}

start() {
    on_running systemctl daemon-reload &&
        on_machine systemctl enable --quiet "${services[@]}" &&
        on_running systemctl restart "${services[0]}" || return 1
    on_running systemctl restart "${services[1]}" || say "the access point does not start: journalctl -u ${services[1]}"
}

install_all() {
    local codename old new
    check_machine
    say "for $codename"
    work_alone
    begin packages
    install_packages
    put_files
    old=$(version_now)
    new=$(new_version)
    making=$versions/$new
    run mkdir -p "$making"
    run touch "$making/$unfinished"
    begin environment
    if ! make_environment "$versions/$new" "$codename"; then
        fail "the new version cannot be installed; ${old:-nothing} is still in use"
    fi
    begin check
    if ! check_environment "$versions/$new"; then
        fail "the new version does not pass its own check; ${old:-nothing} is still in use"
    fi
    begin switch
    run rm -f "$making/$unfinished"
    run sync # a power cut after the switch finds every file of the new version
    run cp "$here/README.md" "$opt/README.md"
    remember_checkout
    switch_to "$new"
    making=""
    put_command
    if ! start; then
        [ -z "$old" ] || { switch_to "$old" && run touch "$versions/$new/$left" && start; }
        fail "the new version does not start; ${old:-nothing} is in use again: journalctl -u tachiai"
    fi
    # Removes all but the newest versions; the one in use stays.
    list_versions | tail -n "+$((kept_versions + 1))" | while read -r version; do
        [ "$version" = "$(version_now)" ] || run rm -rf "${versions:?}/$version"
    done
    say "done: http://$(hostname).local"
    print_access_point
    [ -z "$needs_reboot" ] || say "reboot once, so that changed boot settings and services take effect: sudo reboot"
}

# Prints the name and password of the Pi's own access point, by which phones find the table without a network. The
# program that makes them also gives their file to the table's user: a chown by name would follow a link that this user
# put in its place.
print_access_point() {
    [ -z "$image" ] || return 0
    on_machine "$current/bin/python" -B -m table.appliance.access_point_watch --print ||
        say "the access point cannot be opened until this is mended"
}

roll_back() {
    local now before
    now=$(version_now)
    before=$(list_versions | awk -v now="$now" '$0 < now' | head -n 1)
    [ -n "$before" ] || fail "expected a version before ${now:-none}, got none in $versions"
    switch_to "$before"
    [ ! -d "$versions/$now" ] || run touch "$versions/$now/$left"
    local copy
    for copy in "$root"/var/lib/tachiai/backups/*.format-*.backup; do
        [ ! -e "$copy" ] || print_restore_command "$copy"
    done
    start
}

# Prints the command that restores a copy, for any folder: the table's own user runs it while the table is stopped.
print_restore_command() {
    local copy=$1 restore
    restore=$(printf '%q ' sudo -u tachiai tachiai restore --data "$root/var/lib/tachiai" "$copy")
    say "if $before cannot read the newer journal, restore the copy that was made before:"
    echo "    sudo systemctl stop tachiai; ${restore% }; sudo systemctl start tachiai"
}

uninstall() {
    local file
    on_machine systemctl disable --now --quiet "${services[@]}"
    for file in "${files[@]}"; do run rm -f "$root/$file"; done
    [ ! -e "$root/boot/firmware/config.txt" ] || run sed -i '/^include tachiai.txt$/d' "$root/boot/firmware/config.txt"
    [ "$(readlink "$command")" != /opt/tachiai/current/bin/tachiai ] || run rm -f "$command"
    run rm -rf "${opt:?}"
    on_machine systemctl daemon-reload
    say "kept: $root/etc/tachiai and $root/var/lib/tachiai"
}

case $action in
    install) install_all ;;
    update) update ;;
    rollback) roll_back ;;
    uninstall) uninstall ;;
esac
