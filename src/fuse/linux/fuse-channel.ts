import { spawn } from 'node:child_process';
import { closeSync, constants } from 'node:fs';
import { EXIT, reasonOf, UserError } from '../../core/errors.ts';
import { MOUNT_SUBTYPE } from '../../core/mount-type.ts';
import { controlDescriptor, F_GETFL, F_SETFL } from '../../system/libc.ts';
import { closeSocketPair, openSocketPair, receiveDescriptor } from '../../system/socket-pair.ts';
import type { MountOptions } from '../driver.ts';
import { wayOut } from '../helper-refusals.ts';
import { MOUNT_HELPERS, whyNoHelper } from '../host.ts';
import { checkSourceName } from '../source-name.ts';
import { unmountPoint } from '../unmount.ts';

export type ChannelOptions = Pick<MountOptions, 'fsName' | 'allowOther' | 'readOnly'>;

/** What env(1) ends with where there is no such program, and where there may be one in a folder of the PATH that may not be searched. */
const NO_SUCH_PROGRAM: ReadonlySet<number | null> = new Set([127, 126]);

/** The first descriptor above standard error. */
const SOCKET_OF_HELPER = 3;

/** How a program ended, and what it wrote to standard error. */
interface HelperEnd {
  readonly status: number | null;
  readonly errors: string;
}

/**
 * Mounts, and leaves the connection to whoever reads requests from it: the kernel waits with the first one, so until INIT is answered
 * everybody who touches the point waits. The same for root and ordinary users: a helper opens /dev/fuse, mounts, and passes the descriptor
 * over a Unix socket, as fuse(8) of libfuse has it.
 * @param point of {@link prepareMountPoint}
 * @returns a descriptor of /dev/fuse, non-blocking, closed on exec
 * @throws UserError with the helper's reason and the way out; nothing is mounted then
 */
export async function openFuseDevice(point: string, options: ChannelOptions): Promise<number> {
  const argument = mountArgument(options);
  for (const helper of MOUNT_HELPERS) {
    const sockets = openSocketPair();
    try {
      const { status, errors } = await runHelper(helper, argument, point, sockets.theirs);
      if (NO_SUCH_PROGRAM.has(status)) continue;
      const descriptor = status === 0 ? receiveDescriptor(sockets.ours) : undefined;
      if (descriptor !== undefined) return nonBlocking(descriptor);
      // Why there is no descriptor matters more than what is left behind.
      if (status === 0) await unmountPoint(point, { whenBusy: 'detach' }).catch(() => {});
      throw new UserError(refusalText(helper, point, status, errors), EXIT.cannotMount);
    } finally {
      closeSocketPair(sockets);
    }
  }
  throw new UserError(await whyNoHelper(), EXIT.cannotMount);
}

/**
 * - `default_permissions` has the kernel check modes.
 * - `max_read` is left out: reads are as long as the answer to INIT allows.
 * - `auto_unmount` is left out, see docs/decisions.md.
 * @throws UserError for a source name that could bring in further options
 */
export function mountArgument({ fsName, allowOther, readOnly }: ChannelOptions): string {
  checkSourceName(fsName);
  const list = [
    `fsname=${fsName}`,
    `subtype=${MOUNT_SUBTYPE}`,
    'default_permissions',
    'nosuid',
    'nodev',
    'noatime',
  ];
  if (readOnly) list.push('ro');
  if (allowOther) list.push('allow_other');
  return list.join(',');
}

/**
 * Runs the helper in a session of its own, so that a signal to our process group does not end it halfway. env(1) adds the variable to the
 * environment as it is; messages come in English, for {@link wayOut}.
 */
function runHelper(helper: string, argument: string, point: string, socket: number): Promise<HelperEnd> {
  return new Promise((resolve) => {
    const variables = [`_FUSE_COMMFD=${SOCKET_OF_HELPER}`, 'LC_ALL=C'];
    const child = spawn('env', [...variables, helper, '-o', argument, '--', point], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', socket],
    });
    const chunks: Buffer[] = [];
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => resolve({ status: null, errors: reasonOf(error) }));
    child.on('close', (status) => resolve({ status, errors: Buffer.concat(chunks).toString().trim() }));
  });
}

function refusalText(helper: string, point: string, status: number | null, errors: string): string {
  const reason = errors === '' ? `${helper} ended with ${status ?? 'a signal'} and gave no reason` : errors;
  const help = wayOut(errors);
  return `cannot mount at ${point}: ${reason}${help === undefined ? '' : `; ${help}`}`;
}

function nonBlocking(descriptor: number): number {
  try {
    controlDescriptor(descriptor, F_SETFL, controlDescriptor(descriptor, F_GETFL, 0) | constants.O_NONBLOCK);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
