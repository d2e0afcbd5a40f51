#!/usr/bin/env bash
# Called by mmdebstrap (image.sh) with the folder of the new system: prepares it for a Pi, and installs Tachiai in it.
set -euo pipefail

root=${1:?expected the folder of the new system}
source=${TACHIAI_SOURCE:?} disk_id=${TACHIAI_DISK_ID:?} wheels=${TACHIAI_WHEELS:-} pi_key=${TACHIAI_PI_KEY:-}
readonly kept_key=usr/share/keyrings/tachiai-raspberrypi.gpg

echo tachiai > "$root/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 tachiai\n::1 localhost\n' > "$root/etc/hosts"
printf 'LABEL=rootfs / ext4 defaults,noatime 0 1\nLABEL=bootfs /boot/firmware vfat defaults,nofail 0 2\n' > "$root/etc/fstab"
install -d "$root/boot/firmware" "$root/etc/cloud/cloud.cfg.d" "$root/root/checkout"
# A kernel finds the partition by the card's number alone; for a label it would need an initramfs, which the firmware
# loads only if config.txt says so. Debian's raspi-firmware wrote values of the machine that builds: its root, and a cma
# with which no Pi 4 starts. net.ifnames=0 gives the network devices the names that card.py uses.
echo "console=tty1 root=PARTUUID=$disk_id-02 rootfstype=ext4 fsck.repair=yes rootwait net.ifnames=0" \
    > "$root/boot/firmware/cmdline.txt"
[ -e "$root/boot/firmware/config.txt" ] ||
    printf 'arm_64bit=1\nauto_initramfs=1\ncamera_auto_detect=1\n' > "$root/boot/firmware/config.txt"
# The first start reads what card.py wrote on the first partition, and grows the system to fill the card. cloud-init's
# own seed folder links to that partition, since Bookworm's version reads the Wi-Fi from nowhere else; so the partition
# must be mounted before.
cat > "$root/etc/cloud/cloud.cfg.d/90_tachiai.cfg" << 'CFG'
datasource_list: [NoCloud, None]
locale: C.UTF-8
CFG
install -d "$root/var/lib/cloud/seed"
ln -sfn ../../../../boot/firmware "$root/var/lib/cloud/seed/nocloud"
install -D -m 644 /dev/stdin "$root/etc/systemd/system/cloud-init-local.service.d/tachiai.conf" \
    <<< $'[Unit]\nWants=boot-firmware.mount\nAfter=boot-firmware.mount'
# As on Raspberry Pi OS, netplan hands its settings to NetworkManager, which also opens the table's own access point.
install -D -m 600 /dev/stdin "$root/etc/netplan/01-network-manager-all.yaml" \
    <<< 'network: {version: 2, renderer: NetworkManager}'
printf 'instance-id: tachiai-image\n' > "$root/boot/firmware/meta-data"
printf '#cloud-config\nhostname: tachiai\n' > "$root/boot/firmware/user-data"

# The list of sources names the archive's key by its path on the machine that builds.
if [ -n "$pi_key" ]; then
    install -D -m 644 "$pi_key" "$root/$kept_key"
    sed -i "s|signed-by=$pi_key|signed-by=/$kept_key|" "$root/etc/apt/sources.list"
fi

if [ -d "$source" ]; then
    git -C "$source" archive HEAD | tar -x -C "$root/root/checkout"
    options=()
else
    cp -r "$(dirname "$0")" "$root/root/checkout/firmware-config"
    cp "$source" "$root/root/checkout/"
    options=(--source "/root/checkout/$(basename "$source")")
fi
pip=()
if [ -n "$wheels" ]; then
    cp -r "$wheels" "$root/root/checkout/wheels"
    pip=(PIP_NO_INDEX=1 PIP_FIND_LINKS=/root/checkout/wheels)
fi
installer=/root/checkout/firmware-config/install.sh
chroot "$root" env "${pip[@]}" "$installer" --image "${options[@]}"
rm -rf "$root/root/checkout" "$root/var/cache/apt/archives"/*.deb
# Files that must differ from card to card are made at the first start.
rm -f "$root"/etc/ssh/ssh_host_*_key* "$root/var/lib/dbus/machine-id"
# This file has the name server of the machine that builds; NetworkManager writes its own.
rm -f "$root/etc/resolv.conf"
: > "$root/etc/machine-id"
