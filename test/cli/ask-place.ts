import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ChatServer, startChatServer } from '../support/chat-server.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import type { Ran } from './run-cli.ts';
import { runHere } from './run-here.ts';

/** A project, and a model that says what it is told to. */
export interface AskPlace {
  readonly server: ChatServer;
  readonly folder: string;
  /** @param input what is on standard input */
  run(args: readonly string[], env?: NodeJS.ProcessEnv, input?: string): Promise<Ran>;
  /** `ask` of the model. */
  ask(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ran>;
  /** What a command prints as JSON. @throws Error where it failed */
  json(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<unknown>;
  file(name: string, content: string): void;
  /** A line of a document, from 1; `charges/create.md:31`. */
  lineAt(place: string): string;
}

/** @param docs files of the docs by name; undefined for the sample docs */
export async function askPlace(t: Teardown, docs?: Readonly<Record<string, string>>): Promise<AskPlace> {
  const folder = temporaryFolder(t);
  const file = (name: string, content: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  if (docs === undefined) cpSync('docs/sample', join(folder, 'docs'), { recursive: true });
  else for (const [name, content] of Object.entries(docs)) file(`docs/${name}`, content);
  const server = await startChatServer();
  t.teardown(() => server.close());
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}, input = '') =>
    runHere(args, { cwd: folder, env, input });
  return {
    server,
    folder,
    run,
    file,
    ask: (args, env) => run(['ask', '--base-url', server.url, '--model', 'a-model', ...args], env),
    async json(args, env) {
      const { status, out, err } = await run([...args, '--json'], env);
      if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${err}`);
      return JSON.parse(out);
    },
    lineAt(place) {
      const [, path = '', line = ''] = /^(.*):(\d+)$/.exec(place) ?? [];
      return readFileSync(join(folder, 'docs', path), 'utf8').split('\n')[Number(line) - 1] ?? '';
    },
  };
}
