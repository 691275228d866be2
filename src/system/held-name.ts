import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { AF_UNIX, checked, lastErrno, SOCK_CLOEXEC, SOCK_STREAM, systemError, unchecked } from './libc.ts';

/** The length of `sun_path` in unix(7), less its first byte, which is 0 for an abstract name. */
const NAME_BYTES = 107;

const openSocket = checked<[family: number, type: number, protocol: number]>(
  'int socket(int family, int type, int protocol)',
);
const bind = unchecked<[socket: number, address: Uint8Array, sizeBytes: number]>(
  'int bind(int socket, const uint8_t* address, uint32_t size)',
);

/**
 * Takes a name that only one process of this machine can have at a time. It is that of an abstract socket, which leaves no file behind and is
 * free again as soon as the process ends, however it ends.
 * @param name of at most 107 bytes
 * @returns gives the name back; undefined if another process has it
 * @throws Error with a `code` if the system refuses a socket
 */
export function holdName(name: string): (() => void) | undefined {
  const bytes = Buffer.from(name);
  if (bytes.length > NAME_BYTES) throw new Error(`too long for a name that is held: ${name}`);
  const family = Buffer.from(Uint16Array.of(AF_UNIX).buffer);
  const address = Buffer.concat([family, Buffer.alloc(1), bytes]);
  const socket = openSocket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(socket, address, address.length) === 0) return () => closeSync(socket);
  const errno = lastErrno();
  closeSync(socket);
  if (errno === constants.errno.EADDRINUSE) return undefined;
  throw systemError(errno, 'bind');
}
