import { once } from 'node:events';
import { chmodSync, createReadStream, openSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Output } from '../../src/cli/io.ts';
import { runQuickly } from '../../src/cli/quick.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import type { Teardown } from '../support/temporary.ts';
import { memoryOutput } from './memory-output.ts';
import { MAIN } from './run-cli.ts';

/** What starts a daemon, which is to be the one of the program that is built; and what leaves its folder for good, or talks to its own streams. */
const IN_ITS_OWN_PROCESS = ['mount', 'start', 'unmount', 'stop', 'mcp'];

/**
 * Writes a program for shells that runs command lines as `kgraphfs` does, in this process, which has loaded all that they need: a process takes three
 * times as long to start as most of them run. What the shell gave it is read from its entry in /proc, so it has the arguments, the environment, the
 * folder and the input of the program.
 */
export async function programHere(t: Teardown, file: string): Promise<void> {
  const server = createServer((socket) => {
    // A shell whose reader has seen enough, as `head` has, reads no more.
    socket.on('error', () => {});
    socket.once('data', (line) => void runFor(String(line).trim(), socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { HOME } = process.env;
  t.teardown(() => {
    Object.assign(process.env, { HOME });
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  writeFileSync(
    file,
    `#!/bin/bash
case $1 in ${IN_ITS_OWN_PROCESS.join('|')}) exec '${process.execPath}' '${MAIN}' "$@" ;; esac
exec 3<>/dev/tcp/127.0.0.1/${port}
echo $$ >&3
while read -r -u 3 to length; do
  case $to in 0) exit "$length" ;; esac
  head -c "$length" <&3 >&"$to" || exit
done
exit 99
`,
  );
  chmodSync(file, 0o755);
}

async function runFor(pid: string, socket: Socket): Promise<void> {
  const ofShell = (name: string) => `/proc/${pid}/${name}`;
  const [_shell, _file, ...args] = textsIn(ofShell('cmdline'));
  const variables = Object.fromEntries(
    textsIn(ofShell('environ')).map((text) => [
      text.slice(0, text.indexOf('=')),
      text.slice(text.indexOf('=') + 1),
    ]),
  );
  const { HOME } = variables;
  if (HOME !== undefined) Object.assign(process.env, { HOME });
  const input = inputOf(ofShell('fd/0'));
  const folder = readlinkSync(ofShell('cwd'));
  const io = {
    out: outputTo(socket, 1),
    err: outputTo(socket, 2),
    input,
    workingFolder: () => folder,
    debug: false,
    environment: readEnvironment(variables),
  };
  const status = (await runQuickly(args, io)) ?? (await runCommandLine(args, io));
  input.destroy();
  socket.end(`0 ${status}\n`);
}

/** What another command calls is given a socket, which has nothing for it, and cannot be opened a second time. */
function inputOf(file: string): Readable {
  return readlinkSync(file).startsWith('socket:')
    ? Readable.from([])
    : createReadStream('', { fd: openSync(file, 'r') });
}

/** Each piece is preceded by where the shell has it printed, and how long it is. */
function outputTo(socket: Socket, descriptor: number): Output {
  const send = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    socket.write(`${descriptor} ${bytes.length}\n`);
    socket.write(bytes);
  };
  return {
    ...memoryOutput(),
    write: (text) => send(Buffer.from(text)),
    writeBytes: async (bytes) => send(bytes),
  };
}

/** What ends with a zero byte each. */
function textsIn(file: string): string[] {
  return readFileSync(file, 'utf8').split('\0').slice(0, -1);
}
