import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { runCommandLine } from '../../src/cli/run.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { memoryOutput } from './memory-output.ts';

/** What a command writes to its output. @param columns of a terminal; undefined for a pipe */
async function outputOf(args: readonly string[], cwd: string, columns?: number): Promise<string> {
  const out = memoryOutput(columns);
  const status = await runCommandLine(args, {
    out,
    err: memoryOutput(),
    input: Readable.from([]),
    workingFolder: () => cwd,
    debug: true,
    environment: readEnvironment({ XDG_CONFIG_HOME: '/nowhere', NO_COLOR: '1' }),
  });
  return `${status} ${out.text()}`;
}

t.test(
  'a document does not move the cursor of who looks at what is made of it, and a program gets it as it is',
  async (t) => {
    const cwd = temporaryFolder(t);
    mkdirSync(join(cwd, 'docs'));
    const evil = 'Charge \u001b]52;c;ZXZpbA==\u0007clip';
    writeFileSync(join(cwd, 'docs/evil.md'), `# ${evil}\n\n${evil} is refunded.\n`);
    for (const args of [
      ['context', 'build', 'charge clip'],
      ['context', 'summary', 'evil.md'],
      ['query', 'evil.md', '--format', 'markdown'],
      ['export', '--format', 'dot'],
      ['export', '--format', 'mermaid'],
    ]) {
      const seen = await outputOf(args, cwd, 80);
      t.match(seen, 'Charge \\x1b]52;c;ZXZpbA==\\x07clip', args.join(' '));
      t.notOk(seen.includes('\u0007'), args.join(' '));
      t.match(await outputOf(args, cwd), evil, args.join(' '));
    }
  },
);
