import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { tellOfGit } from '../../../src/cli/mount/tell-of-git.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { memoryOutput } from '../memory-output.ts';

function toldOf(mountpoint: string): string {
  const [out, err] = [memoryOutput(), memoryOutput()];
  const environment = readEnvironment({});
  tellOfGit(mountpoint, {
    out,
    err,
    environment,
    input: Readable.from([]),
    workingFolder: () => '/',
    debug: true,
  });
  return err.text();
}

t.test('who mounts in a work tree that does not ignore it is told how it can', async (t) => {
  const top = realpathSync(temporaryFolder(t));
  const nested = join(top, 'notes');
  mkdirSync(nested);
  t.equal(toldOf(join(nested, 'ctx')), '', 'there is no work tree');
  execFileSync('git', ['init', '--quiet', top]);
  for (const [mountpoint, line] of [
    [join(top, 'ctx'), '/ctx/'],
    [join(nested, 'a [b]*'), "'/notes/a \\[b]\\*/'"],
  ] as const) {
    const told = toldOf(mountpoint);
    t.equal(
      told,
      `${mountpoint} is in a git work tree that does not ignore it: git add would take in what is mounted, and git clean would remove memories; to prevent that: echo ${line} >> ${top}/.gitignore\n`,
    );
    execFileSync('bash', ['-c', told.slice(told.indexOf('echo '))]);
    t.equal(toldOf(mountpoint), '', 'it is ignored now');
  }
  t.not(toldOf(join(nested, 'a b')), '', 'and nothing else is');
  appendFileSync(join(nested, '.gitignore'), '*\n');
  t.equal(toldOf(join(nested, 'a b')), '', 'by a pattern of another folder');
});
