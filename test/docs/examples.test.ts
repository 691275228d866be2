import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { programHere } from '../cli/program-here.ts';
import { MAIN } from '../cli/run-cli.ts';
import { startChatServer } from '../support/chat-server.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { type Example, isAsShown } from './console.ts';
import { examplesOf, PAGES } from './pages.ts';

/** Printed before each example, and after it with its exit status; no text has them. */
const [BEGIN, END] = ['\u001e', '\u001f'];
const LIMIT_MS = 600_000;
/** All that this one shows is run as it is installed. */
const FIRST_PAGE = 'README.md';
/** Where the documents say that a model is. */
const MODEL_URL = 'http://localhost:11434/v1';

/** What stands for a key of a paid API, where a document only says what is typed and not what is printed. */
const MODEL_BY_KEY = `KGRAPHFS_BASE_URL=${MODEL_URL} KGRAPHFS_MODEL=qwen3`;

const model = await startChatServer();
model.otherwise((seen) =>
  'response_format' in seen
    ? { text: '{"nodes": [], "edges": []}' }
    : { text: 'Idempotency keys are kept for 48 hours [idempotency.md:21].' },
);
t.teardown(() => model.close());

for (const page of PAGES.keys()) {
  const examples = examplesOf(page);
  if (examples.length === 0) continue;
  t.test(`the examples of ${page} print what it says`, async (t) => {
    const { folder, home } = await project(t, page);
    const outputs = await runAll(examples, folder, home);
    for (const [index, { line, command, output }] of examples.entries()) {
      const [printed = '', status] = (outputs[index] ?? '').split(END);
      if (output === undefined) {
        t.equal(status?.trim(), '0', `${page}:${line} ${command}\n${printed}`);
        continue;
      }
      const lines = printed
        .replace(/\n$/, '')
        .replaceAll(model.url, MODEL_URL)
        .split('\n')
        .filter((one, _index, all) => all.length > 1 || one !== '');
      const shown = output.map((text) => text.replaceAll('/home/you', home));
      if (shown.join() === '…') t.equal(status?.trim(), '0', `${page}:${line} ${command}\n${printed}`);
      else if (isAsShown(lines, shown)) t.pass(`${page}:${line} ${command}`);
      else t.same(lines, shown, `${page}:${line} ${command}`);
    }
  });
}

/** A project of somebody who just began: the sample docs in docs/sample, the program on the PATH, a home of its own. */
async function project(t: Teardown, page: string): Promise<{ folder: string; home: string }> {
  const home = realpathSync(temporaryFolder(t));
  const folder = join(home, 'project');
  cpSync('docs/sample', join(folder, 'docs/sample'), { recursive: true });
  // As npm installs it: a link into the package.
  const program = join(home, 'package/dist/cli/main.js');
  mkdirSync(join(home, 'bin'));
  mkdirSync(dirname(program), { recursive: true });
  cpSync('systemd', join(home, 'package/systemd'), { recursive: true });
  if (page === FIRST_PAGE) {
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
    chmodSync(program, 0o755);
  } else await programHere(t, program);
  symlinkSync(program, join(home, 'bin/kgraphfs'));
  t.teardown(() => unmountBelow(home));
  return { folder, home };
}

/** All examples in one shell, so that `cd` and variables last; the output of each, both streams. */
async function runAll(examples: readonly Example[], folder: string, home: string): Promise<string[]> {
  const script = examples
    .map(({ command, output }) => (output === undefined ? `(export ${MODEL_BY_KEY}; ${command}\n)` : command))
    .map((command) => command.replaceAll(MODEL_URL, model.url))
    .map((command) => `printf '${BEGIN}'\n${command}\nprintf '${END}%s' $?\n`)
    .join('');
  const { OPENAI_API_KEY: _openAi, OPENROUTER_API_KEY: _openRouter, ...inherited } = process.env;
  const shell = spawn('bash', ['--norc', '-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    env: {
      ...inherited,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      PATH: `${home}/bin:${process.env['PATH']}`,
      LC_ALL: 'C.UTF-8',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'Ana',
      GIT_AUTHOR_EMAIL: 'ana@example.org',
      GIT_COMMITTER_NAME: 'Ana',
      GIT_COMMITTER_EMAIL: 'ana@example.org',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LIMIT_MS,
  });
  return (await text(shell.stdout)).split(BEGIN).slice(1);
}

/** Nothing stays mounted, also where an example failed half way. */
function unmountBelow(home: string): void {
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const point = line.split(' ')[1] ?? '';
    if (point.startsWith(`${home}/`)) execFileSync('fusermount3', ['-u', '-z', '--', point]);
  }
}
