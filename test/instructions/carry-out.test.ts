import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Change, carryOut } from '../../src/instructions/change.ts';
import { temporaryFolder } from '../support/temporary.ts';

function change(path: string): Change {
  return { file: path, also: [], path, before: 'old', after: 'new', kind: 'add', diff: '' };
}

t.test('what cannot be put back is named beside what was refused, and all else is put back', async (t) => {
  const folder = temporaryFolder(t);
  const at = (name: string) => join(folder, name, 'AGENTS.md');
  for (const name of ['lost', 'kept']) {
    mkdirSync(join(folder, name));
    writeFileSync(at(name), 'old');
  }
  const losing: Change = {
    ...change(at('refused')),
    get after() {
      rmSync(join(folder, 'lost'), { recursive: true, force: true });
      return 'new';
    },
  };
  t.throws(() => carryOut([change(at('lost')), change(at('kept')), losing]), {
    message:
      /refused\/AGENTS\.md: cannot be written: ENOENT.*could not be put back: .*lost\/AGENTS\.md: .*run it again/,
  });
  t.equal(readFileSync(at('kept'), 'utf8'), 'old');
});
