import { readFileSync } from 'node:fs';

/** One line of /proc/self/mountinfo, as far as it matters here. See proc(5) for the format. */
export interface MountedPoint {
  /** Unique as long as the mount lives. A later mount may get the number of one that is gone. */
  readonly id: number;
  /** `major:minor` of `st_dev`. */
  readonly device: string;
  readonly point: string;
  /** Such as `ext4` or `fuse.kgraphfs`. */
  readonly type: string;
  readonly source: string;
  /** The folder of its filesystem that it shows: `/`, except for a bind mount of a part. */
  readonly root: string;
  /** For a mount of FUSE, the user who owns it. */
  readonly userId: number | undefined;
  readonly groupId: number | undefined;
  readonly isReadOnly: boolean;
  /** For a mount of FUSE, whether other users may look into it (`allow_other`). */
  readonly letsOthersIn: boolean;
}

const USER_ID = /(?:^|,)user_id=(\d+)/;
const GROUP_ID = /(?:^|,)group_id=(\d+)/;

/** Where filesystems of a type are mounted, as far as this process sees. @throws Error with a `code` if the table of mounts cannot be read */
export function mountPointsOf(type: string): string[] {
  return mountPointsIn(readFileSync('/proc/self/mountinfo', 'utf8'), type);
}

/** The points of {@link parseMountInfo} with a type. Threads that read documents ask every 20 ms, and most lines are of other types. */
export function mountPointsIn(text: string, type: string): string[] {
  const lines = text.split('\n').filter((line) => line.includes(` - ${type}`));
  const mounts = parseMountInfo(lines.join('\n'));
  return mounts.flatMap((mounted) => (mounted.type === type ? [mounted.point] : []));
}

/** @param text of /proc/self/mountinfo. A line that is cut short is left out */
export function parseMountInfo(text: string): MountedPoint[] {
  return text.split('\n').flatMap((line) => {
    const [left, right] = line.split(' - ');
    const [id, , device, root, point, flags = ''] = left?.split(' ') ?? [];
    const [type, source, options = ''] = right?.split(' ') ?? [];
    if (id === undefined || device === undefined || root === undefined || point === undefined) return [];
    if (type === undefined) return [];
    const [userId, groupId] = [USER_ID, GROUP_ID].map((pattern) => pattern.exec(options)?.[1]);
    const words = options.split(',');
    return [
      {
        id: Number(id),
        device,
        point: unescapeOctal(point),
        type,
        source: unescapeOctal(source ?? ''),
        root: unescapeOctal(root),
        userId: userId === undefined ? undefined : Number(userId),
        groupId: groupId === undefined ? undefined : Number(groupId),
        isReadOnly: words.includes('ro') || flags.split(',').includes('ro'),
        letsOthersIn: words.includes('allow_other'),
      },
    ];
  });
}

/** Space, tab, newline and backslash are written as `\040` and the like in files of proc(5), byte by byte. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
