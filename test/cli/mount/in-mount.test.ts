import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { kgraphfs } from '../run-cli.ts';
import { mountPlace } from './mount-place.ts';

t.test('who is within a mount is told where commands are run', needsFuse(), async (t) => {
  const { mountpoint, state, at } = mountPlace(t);
  t.match(kgraphfs(['mount', mountpoint, '--wait', ...at]), { status: 0 });
  const refused = `kgraphfs: ${mountpoint} is a mount of kgraphfs, not a project: run this in the folder of the project, or with --docs ${resolve('docs/sample')} --state ${state}\n`;
  for (const folder of ['', 'context']) {
    const cwd = join(mountpoint, folder);
    for (const words of [['search', 'refund'], ['status'], ['ask', '--no-llm', 'refund']])
      t.match(kgraphfs(words, { cwd }), { status: 1, out: '', err: refused }, `${folder} ${words[0]}`);
  }
  const cwd = join(mountpoint, 'docs');
  t.match(kgraphfs(['search', 'refund', '--docs', resolve('docs/sample'), '--state', state], { cwd }), {
    status: 0,
    out: /^1 {2}docs\//,
    err: '',
  });
  t.match(kgraphfs(['status', mountpoint], { cwd }), { status: 0, out: /^state +ready\n/, err: '' });
});

t.test('who would mount within a mount is told so', needsFuse(), async (t) => {
  const { mountpoint, at } = mountPlace(t);
  t.match(kgraphfs(['mount', mountpoint, '--wait', ...at]), { status: 0 });
  for (const name of ['ctx', 'graph/nodes/ctx'])
    t.match(kgraphfs(['mount', join(mountpoint, name), ...at]), {
      status: 3,
      out: '',
      err: `kgraphfs: ${mountpoint}/${name} would be inside the mount of kgraphfs at ${mountpoint}, and cannot be made there; name a folder outside it\n`,
    });
});

t.test('in the scratchpad there are projects like elsewhere', needsFuse(), async (t) => {
  const { mountpoint, at } = mountPlace(t);
  t.match(kgraphfs(['mount', mountpoint, '--wait', ...at]), { status: 0 });
  const project = join(mountpoint, 'context/scratchpad/project');
  mkdirSync(join(project, 'docs'), { recursive: true });
  writeFileSync(join(project, 'docs/quokka.md'), '# Quokka\n\nA **Quokka** requires a **Leaf**.\n');
  t.match(kgraphfs(['search', 'quokka'], { cwd: project }), { status: 0, out: 'docs/quokka.md:3' });
  t.same(readdirSync(project).sort(), ['.kgraphfs', 'docs']);
});
