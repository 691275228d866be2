import { spawn } from 'node:child_process';
import { type ErrnoCode, FsError, reasonOf } from '../core/errors.ts';

/** What the program is to call the file or folder that it gets. */
export const GIVEN = '/proc/self/fd/3';

/** In the C locale, as strerror(3) of both usual C libraries says it. */
const MESSAGES: readonly (readonly [string, ErrnoCode])[] = [
  ['File exists', 'EEXIST'],
  ['Operation not permitted', 'EPERM'],
  ['Permission denied', 'EACCES'],
  ['No space left on device', 'ENOSPC'],
  ['Disk quota exceeded', 'EDQUOT'],
  ['Read-only file system', 'EROFS'],
  ['Invalid argument', 'EINVAL'],
  ['No such file or directory', 'ENOENT'],
  ['File name too long', 'ENAMETOOLONG'],
];

/**
 * Runs one of the small programs of every Linux for what Node cannot do, with an open file or folder as its descriptor 3. It lives for
 * a millisecond or two, so it does no harm that it inherits /dev/fuse from a daemon.
 * @param path for the error
 * @throws FsError
 */
export function runOnDescriptor(
  command: 'mkfifo' | 'mknod' | 'touch',
  args: readonly string[],
  descriptor: number,
  path: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe', descriptor],
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
      cwd: '/',
    });
    const chunks: Buffer[] = [];
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => reject(new FsError('EIO', path, reasonOf(error), { cause: error })));
    child.on('close', (status) => {
      if (status === 0) resolve();
      else reject(failureOf(Buffer.concat(chunks).toString().trim(), path));
    });
  });
}

function failureOf(message: string, path: string): FsError {
  const code = MESSAGES.find(([text]) => message.includes(text))?.[1] ?? 'EIO';
  return new FsError(code, path, message || 'a program that was to do this failed');
}
