#!/usr/bin/env bash
# Called by mmdebstrap (image.sh) with the folder of the new system: makes it a Pi's, and installs Tachiai in it.
set -euo pipefail

root=${1:?expected the folder of the new system}
source=${TACHIAI_SOURCE:?} disk_id=${TACHIAI_DISK_ID:?} wheels=${TACHIAI_WHEELS:-} pi_key=${TACHIAI_PI_KEY:-}
readonly kept_key=usr/share/keyrings/tachiai-raspberrypi.gpg

echo tachiai > "$root/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 tachiai\n::1 localhost\n' > "$root/etc/hosts"
printf 'LABEL=rootfs / ext4 defaults,noatime 0 1\nLABEL=bootfs /boot/firmware vfat defaults,nofail 0 2\n' > "$root/etc/fstab"
install -d "$root/boot/firmware" "$root/etc/cloud/cloud.cfg.d" "$root/root/checkout"
# A kernel finds the partition by the card's number alone; for a label it would need an initramfs, which the firmware
# loads only where config.txt says so. What Debian's raspi-firmware wrote is of the machine that builds: its root, and a
# cma with which no Pi 4 starts. The devices of the network are called as card.py calls them.
echo "console=tty1 root=PARTUUID=$disk_id-02 rootfstype=ext4 fsck.repair=yes rootwait net.ifnames=0" \
    > "$root/boot/firmware/cmdline.txt"
[ -e "$root/boot/firmware/config.txt" ] ||
    printf 'arm_64bit=1\nauto_initramfs=1\ncamera_auto_detect=1\n' > "$root/boot/firmware/config.txt"
# What card.py writes on the first partition is read at the first start, which also lets the system fill the card. It is
# cloud-init's own folder for that, since Bookworm's takes the Wi-Fi from nowhere else; so it must be mounted before.
cat > "$root/etc/cloud/cloud.cfg.d/90_tachiai.cfg" << 'CFG'
datasource_list: [NoCloud, None]
locale: C.UTF-8
CFG
install -d "$root/var/lib/cloud/seed"
ln -sfn ../../../../boot/firmware "$root/var/lib/cloud/seed/nocloud"
install -D -m 644 /dev/stdin "$root/etc/systemd/system/cloud-init-local.service.d/tachiai.conf" \
    <<< $'[Unit]\nWants=boot-firmware.mount\nAfter=boot-firmware.mount'
# As on Raspberry Pi OS: what netplan is told is done by NetworkManager, which the table's own access point asks.
install -D -m 600 /dev/stdin "$root/etc/netplan/01-network-manager-all.yaml" \
    <<< 'network: {version: 2, renderer: NetworkManager}'
printf 'instance-id: tachiai-image\n' > "$root/boot/firmware/meta-data"
printf '#cloud-config\nhostname: tachiai\n' > "$root/boot/firmware/user-data"

# The archive's key was named by its place on the machine that builds.
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
# What must differ from card to card is made at the first start.
rm -f "$root"/etc/ssh/ssh_host_*_key* "$root/var/lib/dbus/machine-id"
# The name server of the machine that builds is nobody else's; NetworkManager writes this file.
rm -f "$root/etc/resolv.conf"
: > "$root/etc/machine-id"
