import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DriverName } from '../../../src/config/schema.ts';
import { jsonOrUndefined } from '../../../src/core/json-text.ts';
import { parseMountInfo } from '../../../src/system/mount-info.ts';
import { type Teardown, temporaryFolder } from '../../support/temporary.ts';
import { sampleIn } from '../run-cli.ts';

/** Against what hangs; a machine that is busy may take its time. */
const LIMIT_MS = 60_000;
const POLL_MS = 40;

export interface MountPlace {
  /** A temporary folder. Below it nothing stays mounted. */
  readonly folder: string;
  readonly mountpoint: string;
  readonly state: string;
  /** The options that name the sample docs, the state folder, which has their index, and, where it was asked for, the driver. */
  readonly at: readonly string[];
}

/** @param driver without it, mounts take the one that they take for a user who says nothing */
export function mountPlace(t: Teardown, driver?: DriverName): MountPlace {
  const folder = temporaryFolder(t);
  t.teardown(() => {
    for (const point of mountedBelow(folder)) execFileSync('fusermount3', ['-u', '-z', '--', point]);
  });
  const { state, at } = sampleIn(folder);
  if (driver !== undefined) {
    const config = join(folder, 'driver.json');
    writeFileSync(config, JSON.stringify({ mount: { driver } }));
    at.push('--config', config);
  }
  return { folder, mountpoint: join(folder, 'ctx'), state, at };
}

export function mountedBelow(folder: string): string[] {
  return parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'))
    .map(({ point }) => point)
    .filter((point) => point.startsWith(`${folder}/`));
}

/** The daemon of a mount, as its status says. */
export function daemonOf(mountpoint: string): number {
  return statusOf(mountpoint).pid;
}

/**
 * What status.json says. With fuse-native, a reader of one that changes at that moment gets as many bytes as the one before had (docs/fuse-native.md), and reads
 * it again, as `kgraphfs status` does.
 * @param read gives the bytes of a file of the mount
 */
export function statusOf(mountpoint: string, read = readThrough) {
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    const text = read(join(mountpoint, '.kgraphfs/status.json'));
    const status = jsonOrUndefined(text);
    if (status !== undefined) return JSON.parse(text);
    if (performance.now() > endMs) throw new Error(`a status that is no JSON: ${text}`);
  }
}

/** A file of the mount, read by another process as users do. */
export function readThrough(path: string): string {
  return execFileSync('timeout', ['-s', 'KILL', '60', 'cat', '--', path], { encoding: 'utf8' });
}

/** Until its last thread has ended: what is killed holds its locks and its mount for as long, while its first thread may be gone. */
export function isRunning(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return !/^State:\s+Z/m.test(status) || Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]) > 1;
  } catch {
    // There is no such process.
    return false;
  }
}

/** @param pollMs longer where each look starts a program and many are to be expected */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  pollMs = POLL_MS,
): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  while (performance.now() < endMs) {
    if (await isTrue()) return;
    await delay(pollMs);
  }
  throw new Error(`waited ${LIMIT_MS} ms in vain for: ${what}`);
}

/** Unmounts as any program may. A doctor of another test may just be asking this mount, as all there are, and is waited for. */
export async function unmountOutside(point: string): Promise<void> {
  await until(`${point} to be unmounted`, () => spawnSync('fusermount3', ['-u', '--', point]).status === 0);
}

/** A program that works in a folder until the test ends. */
export function workIn(t: Teardown, folder: string): void {
  const child = spawn('sleep', ['120'], { cwd: folder, stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
}
