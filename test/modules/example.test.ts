import { readFileSync } from 'node:fs';
import t from 'tap';
import { fencesIn } from '../docs/console.ts';
import { openModules } from './opened.ts';

t.test('the module that docs/modules.md shows does what it says, in some 30 lines', async (t) => {
  const fences = fencesIn(readFileSync('docs/modules.md', 'utf8'));
  const code = fences.find(({ language }) => language === 'js')?.lines ?? [];
  const json =
    fences
      .filter(({ language }) => language === 'json')
      .at(-1)
      ?.lines.join('\n') ?? '';
  const { modules } = JSON.parse(json);
  t.ok(code.length > 20 && code.length < 40);
  const tree = openModules(t, {
    modules,
    files: { 'team.mjs': code.join('\n'), 'team.csv': 'name,role\nAna,owner of refunds\n' },
  });
  t.same(await tree.ls('/team'), ['Ana.md', 'new']);
  t.equal(await tree.read('/team/Ana.md'), '# Ana\n\nAna is the owner of refunds.\n');
  await tree.write('/team/new', 'Bo,owner of invoices\n');
  t.same(await tree.ls('/team'), ['Ana.md', 'Bo.md', 'new']);
  await t.rejects(tree.write('/team/new', 'nonsense'), { code: 'EINVAL', message: /name,role/ });
  t.same(await tree.modules.mirror(), ['/modules/team/Ana.md', '/modules/team/Bo.md'], 'it is searched');
  t.same(await tree.modules.mirror(), [], 'and not read again while nothing changes');
});
