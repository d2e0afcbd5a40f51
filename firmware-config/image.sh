#!/usr/bin/env bash
# Builds the image of a card with Tachiai from Debian's packages; nothing is mounted, and no loop device is needed.
#
#   sudo ./image.sh --output FILE.img [--release trixie|bookworm] [--arch arm64|amd64] [--source DIR|WHEEL]
#                   [--wheels DIR] [--pi-archive URL --pi-key FILE] [--mirror URL] [--root DIR]
#
# For a Pi, name Raspberry Pi's own archive and its key, since Debian lacks its kernel, its firmware and picamera2.
# Without them the image has Debian's kernel, so camera and pins do not work, and the table is kept by hand. To build
# for arm64 on another processor, qemu-user 10 or newer with binfmt is needed: onnxruntime crashes under 7.2.
# With --wheels no Python package is downloaded. With --root the system in that folder is only laid out as a card.
# The user who may log in is in user-data on the first partition, which card.py writes.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
output="" release=trixie arch=arm64 source=$(dirname "$here") wheels="" made="" pi_archive="" pi_key=""
mirror=http://deb.debian.org/debian
readonly boot_mib=512 spare_mib=512 needed_mib=12000 disk_id=7ac41a10

usage() { sed -n '4,5s/^# *//p' "${BASH_SOURCE[0]}"; }
say() { echo "image.sh: $*"; }
fail() { echo "image.sh: $*" >&2; exit 1; }

while [ $# -gt 0 ]; do
    case $1 in
        --help | -h) usage; exit 0 ;;
        --output | --release | --arch | --source | --wheels | --pi-archive | --pi-key | --mirror | --root) ;;
        *) echo "image.sh: expected an option, got $1" >&2; usage >&2; exit 2 ;;
    esac
    [ $# -ge 2 ] || { echo "image.sh: expected a value after $1, got none" >&2; exit 2; }
    case $1 in
        --output) output=$2 ;;
        --release) release=$2 ;;
        --arch) arch=$2 ;;
        --source) source=$2 ;;
        --wheels) wheels=$2 ;;
        --pi-archive) pi_archive=$2 ;;
        --pi-key) pi_key=$2 ;;
        --mirror) mirror=$2 ;;
        --root) made=$2 ;;
    esac
    shift 2
done
[ -n "$output" ] || { echo "image.sh: expected --output FILE.img, got none" >&2; exit 2; }
case $release in bookworm | trixie) ;; *) fail "expected --release bookworm or trixie, got $release" ;; esac
case $arch in arm64 | amd64) ;; *) fail "expected --arch arm64 or amd64, got $arch" ;; esac
[ -z "$pi_archive" ] || [ -e "$pi_key" ] || fail "expected --pi-key with the archive's key, got ${pi_key:-none}"

check_tools() {
    local tool free tools="mmdebstrap e2fsprogs dosfstools mtools fdisk"
    [ "$(id -u)" = 0 ] || fail "expected root: sudo $0"
    for tool in mmdebstrap mke2fs mkfs.vfat mcopy sfdisk truncate; do
        command -v "$tool" > /dev/null || fail "expected $tool, got none: apt-get install $tools"
    done
    free=$(df -m --output=avail "$(dirname "$output")" | tail -n 1)
    [ -n "$made" ] || [ "$free" -ge "$needed_mib" ] || fail "expected $needed_mib MiB free beside $output, got $free"
}

# Prints the packages that the image has in addition to those of the installer.
packages() {
    echo systemd systemd-sysv dbus udev login passwd sudo openssh-server ca-certificates curl git iproute2 locales tzdata
    echo cloud-init cloud-guest-utils e2fsprogs dosfstools network-manager wpasupplicant iw avahi-daemon wireless-regdb
    echo libnss-mdns python3-venv python3-pip netplan.io
    if [ -n "$pi_archive" ]; then
        echo linux-image-rpi-v8 linux-image-rpi-2712 raspi-firmware raspi-config firmware-brcm80211
    else
        echo "linux-image-$arch"
        [ "$arch" != arm64 ] || echo raspi-firmware firmware-brcm80211
    fi
}

# Builds the system in a folder, and installs Tachiai in it.
make_root() {
    local root=$1 sources=("deb $mirror $release main non-free-firmware")
    local included
    included=$(packages | tr ' \n' ',,' | sed 's/,*$//')
    [ -z "$pi_archive" ] || sources+=("deb [signed-by=$pi_key] $pi_archive $release main")
    printf '%s\n' "${sources[@]}" |
        mmdebstrap --architectures="$arch" --variant=apt --include="$included" \
            --customize-hook="$here/image_customize.sh" "$release" "$root" -
}

# Puts the first partition's files back into the system that they were taken from, also if no card could be made of it.
give_back() {
    [ -n "$taken_from" ] && [ -d "$work/firmware" ] || return 0
    if [ -d "$taken_from/boot/firmware" ] && ! rmdir "$taken_from/boot/firmware"; then
        say "files of $taken_from/boot/firmware may be missing there: they are kept in $work/firmware"
        return 1
    fi
    mv "$work/firmware" "$taken_from/boot/firmware"
    taken_from=""
}

# Makes the two file systems, each in a file, and the card that holds both.
make_card() {
    local root=$1 work=$2 used_mib root_mib
    taken_from=$root
    mv "$root/boot/firmware" "$work/firmware"
    mkdir "$root/boot/firmware"
    truncate -s "${boot_mib}M" "$work/boot.fat"
    mkfs.vfat -n bootfs "$work/boot.fat" > /dev/null
    find "$work/firmware" -mindepth 1 -maxdepth 1 -exec mcopy -s -i "$work/boot.fat" {} :: \;
    used_mib=$(du -smx "$root" | cut -f 1)
    root_mib=$((used_mib * 11 / 10 + spare_mib))
    mke2fs -q -t ext4 -L rootfs -d "$root" "$work/root.ext4" "${root_mib}M"
    give_back
    truncate -s "$((boot_mib + root_mib + 2))M" "$output.new"
    printf 'label: dos\nlabel-id: 0x%s\nstart=1MiB, size=%sMiB, type=c, bootable\nstart=%sMiB, type=83\n' \
        "$disk_id" "$boot_mib" "$((boot_mib + 1))" | sfdisk --quiet "$output.new"
    dd if="$work/boot.fat" of="$output.new" bs=1M seek=1 conv=notrunc,sparse status=none
    dd if="$work/root.ext4" of="$output.new" bs=1M seek="$((boot_mib + 1))" conv=notrunc,sparse status=none
    mv "$output.new" "$output"
}

began=$SECONDS
check_tools
work=$(mktemp -d -p "$(dirname "$output")" image.XXXXXX)
chmod 755 "$work"  # apt fetches as a user of its own
taken_from=""
trap 'give_back && rm -rf --one-file-system "${work:?}" "$output.new"' EXIT
[ -z "$pi_key" ] || pi_key=$(realpath "$pi_key")
export TACHIAI_SOURCE=$source TACHIAI_WHEELS=$wheels TACHIAI_PI_KEY=$pi_key TACHIAI_DISK_ID=$disk_id
if [ -n "$made" ]; then
    [ -d "$made/boot/firmware" ] || fail "expected a system with boot/firmware, got $made"
else
    make_root "$work/root"
fi
make_card "${made:-$work/root}" "$work"
say "$output: $release, $arch, $(du -m --apparent-size "$output" | cut -f 1) MiB, made in $(((SECONDS - began) / 60)) minutes"
say "untested on a real Pi until somebody says otherwise"
