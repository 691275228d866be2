import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { flagName } from '../../src/cli/command.ts';
import { manPage } from '../../src/cli/man-page.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { temporaryFolder } from '../support/temporary.ts';

const NO_MAN = existsSync('/usr/bin/man') ? false : 'man is not installed';

t.test(
  'man shows each command and option as it is typed, and warns of nothing',
  { skip: NO_MAN },
  async (t) => {
    const file = join(temporaryFolder(t), 'kgraphfs.1');
    writeFileSync(file, manPage(COMMANDS, '1.2.3'));
    const { stdout, stderr, status } = spawnSync('man', ['--warnings', '-E', 'UTF-8', '-l', file], {
      env: { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '400', MAN_KEEP_FORMATTING: '' },
      encoding: 'utf8',
    });
    t.same({ stderr, status }, { stderr: '', status: 0 });
    for (const { verb, options, example } of COMMANDS) {
      t.ok(stdout.includes(`\n   kgraphfs ${verb}\n`), verb);
      t.ok(stdout.includes(`  ${example}\n`), example);
      for (const name of Object.keys(options)) t.ok(stdout.includes(`--${flagName(name)}`), name);
    }
  },
);

t.test('the page names each variable of the environment that is ours', async (t) => {
  const page = manPage(COMMANDS, '1.2.3');
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const names = sources.flatMap(
    (file) => readFileSync(join('src', file), 'utf8').match(/\bKGRAPHFS_[A-Z_]+\b/g) ?? [],
  );
  for (const name of new Set(names)) t.ok(page.includes(name), name);
});
