import { Readable } from 'node:stream';
import type { Io, Output } from '../cli/io.ts';
import { readEnvironment } from '../config/environment.ts';

export interface HostOptions {
  /** Where relative paths begin. Default: the current folder. */
  readonly folder: string;
  readonly actor: string | undefined;
  readonly session: string | undefined;
  /** Called with what a command would print on standard error. */
  readonly onWarning: (text: string) => void;
}

/** The input and output with which the code of commands opens a project for a host program: no terminal, and nothing to read. */
export function libraryIo({ folder, actor, session, onWarning }: HostOptions): Io {
  const environment = readEnvironment();
  return {
    out: outputTo(() => {}),
    err: outputTo((text) => onWarning(text.trimEnd())),
    input: Readable.from([]),
    workingFolder: () => folder,
    debug: environment.debug,
    environment: {
      ...environment,
      actor: actor ?? environment.actor,
      session: session ?? environment.session,
    },
  };
}

function outputTo(take: (text: string) => void): Output {
  return {
    isTerminal: false,
    columns: undefined,
    style: (_style, text) => text,
    write: take,
    async writeBytes(bytes) {
      take(Buffer.from(bytes).toString());
    },
  };
}
