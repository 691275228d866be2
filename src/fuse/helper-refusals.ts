import { readFileSync } from 'node:fs';

const NOT_SETUID = /mount failed: Operation not permitted/;

/** What fusermount3 and fusermount say, in English, and what a person can do about it. Texts of libfuse's util/fusermount.c. */
const WAYS_OUT: readonly (readonly [RegExp, string])[] = [
  [
    /user_allow_other/,
    'as root, add the line user_allow_other to /etc/fuse.conf, or mount without --allow-other',
  ],
  [
    NOT_SETUID,
    'fusermount3 has to be setuid root (as root: chmod u+s "$(command -v fusermount3)"), and a container needs --cap-add SYS_ADMIN',
  ],
  [
    /mount failed: Permission denied/,
    'where AppArmor watches over fusermount3, as on Ubuntu, choose a folder below your home, /tmp, /mnt or /media, ' +
      'or allow another one in /etc/apparmor.d/local/fusermount3',
  ],
  [/failed to open \S*fuse: Permission denied/, 'as root, run chmod 666 /dev/fuse, as distributions do'],
  [
    /(?:device (?:\S+ )?not found|failed to open \S*fuse)/,
    'load the fuse module (modprobe fuse), or give the container --device /dev/fuse',
  ],
  [
    /could not determine username/,
    'the system knows no name of this user: as root, run useradd --no-create-home --uid NUMBER NAME, where NUMBER is what id -u says',
  ],
  [/too many FUSE filesystems/, 'unmount one, or, as root, raise mount_max in /etc/fuse.conf'],
  [/mounting over filesystem type/, 'choose a folder on an ordinary disk'],
  [/no write access|not owned by user/, 'choose a folder of your own'],
  [/unknown option|invalid option|Invalid argument/, 'this fusermount is too old: install fuse3'],
];

/**
 * Undefined where what the helper said speaks for itself.
 * @param gainsNothing whether programs that this process runs gain no rights, also where they are setuid
 */
export function wayOut(errors: string, gainsNothing = hasNoNewPrivileges()): string | undefined {
  if (gainsNothing && NOT_SETUID.test(errors)) {
    return (
      'setuid programs, such as fusermount3, gain no rights here (no_new_privs): ' +
      'start the container without no-new-privileges; for a service of systemd, NoNewPrivileges=no'
    );
  }
  return WAYS_OUT.find(([pattern]) => pattern.test(errors))?.[1];
}

function hasNoNewPrivileges(): boolean {
  return process.getuid?.() !== 0 && /^NoNewPrivs:\s*1$/m.test(readFileSync('/proc/self/status', 'utf8'));
}
