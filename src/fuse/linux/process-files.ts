import { readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** What /proc says of a process without waiting for it. */
export interface ProcessFacts {
  /** The name of its program, up to 15 bytes. */
  readonly command: string;
}

/** In whose name a process says it acts. */
export interface Claims {
  /** `KGRAPHFS_ACTOR`. */
  readonly actor?: string;
  /** `KGRAPHFS_SESSION`: a well-formed id, which need not be one of a session. */
  readonly session?: string;
}

export const NO_CLAIMS: Claims = {};

/** Far more than environments have, far less than one can be made to have. */
const MAX_ENVIRONMENT_BYTES = 256 * 1024;

const ACTOR = /^[^\p{C}\p{Zl}\p{Zp}\uFFFD]{1,128}$/u;
const SESSION = /^[A-Za-z0-9-]{1,64}$/;
const NOT_SHOWN = /[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu;

/** Files of /proc about processes; the folder is a parameter for tests. */
export class ProcessFiles {
  readonly #folder: string;

  constructor(folder = '/proc') {
    this.#folder = folder;
  }

  /** The process that a thread is of; undefined where it is gone, or may not be seen. */
  processOf(thread: number): number | undefined {
    const text = this.#text(`${thread}/status`);
    const digits = text && /^Tgid:\s*(\d+)$/m.exec(text)?.[1];
    return digits === undefined ? undefined : Number(digits);
  }

  /**
   * From `comm`. Never from `stat`: the kernel makes its reader wait while the process is in exec(2), which may itself wait for an answer of the
   * mount. That was seen to hang the daemon, the process, and every ps(1), for good.
   */
  factsOf(pid: number): ProcessFacts | undefined {
    const text = this.#text(`${pid}/comm`);
    return text === undefined ? undefined : { command: text.replace(/\n$/, '').replace(NOT_SHOWN, '?') };
  }

  /**
   * The claims in the environment that a process was started with; none where that may not be read. Nothing else of it is kept.
   *
   * Never to be waited for by what serves the mount: the kernel makes the reader wait while another thread of the process unmaps a file,
   * or while it closes files in exec(2), and both of these may wait for an answer of the mount.
   */
  async claimsOf(pid: number): Promise<Claims> {
    try {
      const file = await open(`${this.#folder}/${pid}/environ`);
      try {
        return await claimsIn(file);
      } finally {
        void file.close().catch(() => {});
      }
    } catch {
      // Another user's, or gone.
      return NO_CLAIMS;
    }
  }

  #text(path: string): string | undefined {
    try {
      return readFileSync(`${this.#folder}/${path}`, 'utf8');
    } catch {
      // Gone, or hidden from this process (proc(5), hidepid).
      return undefined;
    }
  }
}

async function claimsIn(file: FileHandle): Promise<Claims> {
  let bytes = Buffer.alloc(16 * 1024);
  let sizeBytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, sizeBytes, bytes.length - sizeBytes, sizeBytes);
    sizeBytes += bytesRead;
    // The kernel gives all that fits.
    if (sizeBytes < bytes.length || bytes.length >= MAX_ENVIRONMENT_BYTES) break;
    bytes = Buffer.concat([bytes], bytes.length * 4);
  }
  const environment = bytes.subarray(0, sizeBytes);
  const actor = wellFormedValue(environment, 'KGRAPHFS_ACTOR', ACTOR);
  const session = wellFormedValue(environment, 'KGRAPHFS_SESSION', SESSION);
  return { ...(actor === undefined ? {} : { actor }), ...(session === undefined ? {} : { session }) };
}

/** As getenv(3): the first of that name. Undefined also where it is not well-formed. */
function wellFormedValue(environment: Buffer, name: string, form: RegExp): string | undefined {
  const start = `${name}=`;
  const isFirst = environment.subarray(0, start.length).equals(Buffer.from(start));
  const at = isFirst ? 0 : environment.indexOf(`\0${start}`) + 1;
  if (at === 0 && !isFirst) return undefined;
  const end = environment.indexOf(0, at);
  if (end === -1) return undefined;
  const value = environment.toString('utf8', at + start.length, end);
  return form.test(value) ? value : undefined;
}
