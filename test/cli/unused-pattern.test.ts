import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

t.test(
  'a pattern of include that fits no file is named by build and status, until it fits one',
  async (t) => {
    const cwd = temporaryFolder(t);
    mkdirSync(join(cwd, 'docs/guide'), { recursive: true });
    writeFileSync(join(cwd, 'docs/a.md'), '# A\n');
    writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"docs": "docs", "include": ["/a.md", "guide/*.md"]}');
    const told = /include: the pattern "guide\/\*\.md" fits no file of the docs/;
    t.match(await runHere(['build'], { cwd }), { status: 0, out: /built 1 document/, err: told });
    t.match((await runHere(['build'], { cwd })).err, told, 'also where nothing changed');
    t.match((await runHere(['status'], { cwd })).out, told);
    writeFileSync(join(cwd, 'docs/guide/b.md'), '# B\n');
    t.match(await runHere(['build'], { cwd }), { out: /built 2 documents/, err: '' });
    t.notMatch((await runHere(['status'], { cwd })).out, /include/);
  },
);
