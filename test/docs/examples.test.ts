import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { type Example, examplesIn, isAsShown } from './console.ts';

const DOCUMENTS = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Printed before each example; no text has it. */
const SEPARATOR = '\u001e';

for (const document of DOCUMENTS) {
  const examples = examplesIn(readFileSync(document, 'utf8'));
  if (examples.length === 0) continue;
  t.test(`the examples of ${document} print what it says`, async (t) => {
    const { folder, home } = project(t);
    const outputs = runAll(examples, folder, home);
    for (const [index, { line, command, output }] of examples.entries()) {
      const printed = (outputs[index] ?? '')
        .replace(/\n$/, '')
        .split('\n')
        .filter((one, _index, all) => all.length > 1 || one !== '');
      const shown = output.map((text) => text.replaceAll('/home/you', home));
      if (isAsShown(printed, shown)) t.pass(`${document}:${line} ${command}`);
      else t.same(printed, shown, `${document}:${line} ${command}`);
    }
  });
}

/** A project of somebody who just began: the sample docs in docs/sample, the program on the PATH, a home of its own. */
function project(t: Teardown): { folder: string; home: string } {
  const home = realpathSync(temporaryFolder(t));
  const folder = join(home, 'project');
  cpSync('docs/sample', join(folder, 'docs/sample'), { recursive: true });
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const program = join(bin, 'kgraphfs');
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' '${resolve('build/src/cli/main.js')}' "$@"\n`,
  );
  chmodSync(program, 0o755);
  t.teardown(() => unmountBelow(home));
  return { folder, home };
}

/** All examples in one shell, so that `cd` and variables last; the output of each, both streams. */
function runAll(examples: readonly Example[], folder: string, home: string): string[] {
  const script = examples.map(({ command }) => `printf '${SEPARATOR}'\n${command}\n`).join('');
  const { stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    env: { ...process.env, HOME: home, PATH: `${home}/bin:${process.env['PATH']}`, LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return stdout.split(SEPARATOR).slice(1);
}

/** Nothing stays mounted, also where an example failed half way. */
function unmountBelow(home: string): void {
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const point = line.split(' ')[1] ?? '';
    if (point.startsWith(`${home}/`)) execFileSync('fusermount3', ['-u', '-z', '--', point]);
  }
}
