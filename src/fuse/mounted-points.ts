import { readFile } from 'node:fs/promises';

/** One line of /proc/self/mountinfo, as far as it matters here; proc(5) tells the format. */
export interface MountedPoint {
  /** Unique as long as the mount lives; the next one that is made gets the number of one that has gone. */
  readonly id: number;
  /** `major:minor` of `st_dev`. */
  readonly device: string;
  readonly point: string;
  /** Such as `ext4` or `fuse.kgraphfs`. */
  readonly type: string;
  readonly source: string;
}

/** Of proc(5)'s `fdinfo`: the device number of the mount. FUSE has none but minor numbers. */
const CONNECTION = /^fuse_connection:\s*(\d+)$/m;

/** All mounts that this process sees, in the order in which they were made: the last one at a point is the visible one. */
export async function mountedPoints(): Promise<MountedPoint[]> {
  return parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8'));
}

/**
 * The mount of a connection at its point, over which another may have been made since.
 * @param descriptor of /dev/fuse. @returns undefined where it is gone
 */
export async function mountOf(descriptor: number, point: string): Promise<MountedPoint | undefined> {
  // The descriptor is closed with its connection.
  const about = await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8').catch(() => undefined);
  return about === undefined ? undefined : mountOfConnection(await mountedPoints(), point, about);
}

/** @param about what the kernel tells of the connection's descriptor */
export function mountOfConnection(
  mounts: readonly MountedPoint[],
  point: string,
  about: string,
): MountedPoint | undefined {
  const device = CONNECTION.exec(about)?.[1];
  // Older kernels do not say which connection a descriptor is of.
  return mounts.findLast(
    (mounted) => mounted.point === point && (device === undefined || mounted.device === `0:${device}`),
  );
}

/** The visible mount at a point. */
export async function mountAt(point: string): Promise<MountedPoint | undefined> {
  return (await mountedPoints()).findLast((mounted) => mounted.point === point);
}

export function parseMountInfo(text: string): MountedPoint[] {
  return text.split('\n').flatMap((line) => {
    const [left, right] = line.split(' - ');
    const [id, , device, , point] = left?.split(' ') ?? [];
    const [type, source] = right?.split(' ') ?? [];
    if (id === undefined || device === undefined || point === undefined || type === undefined) return [];
    return [
      { id: Number(id), device, point: unescapeOctal(point), type, source: unescapeOctal(source ?? '') },
    ];
  });
}

/** Space, tab, newline and backslash are written as `\040` and the like, byte by byte. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
