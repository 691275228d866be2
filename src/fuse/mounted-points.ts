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

/** All mounts that this process sees, in the order in which they were made: the last one at a point is the visible one. */
export async function mountedPoints(): Promise<MountedPoint[]> {
  return parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8'));
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
