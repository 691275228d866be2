import t from 'tap';
import { Daemon, newMountPoint, shell } from '../daemon.ts';
import { needsFuse, needsFuseAsRoot } from '../fuse-available.ts';

const FILES = 200;
const FIRST_MS = 1_600_000_000_000;

async function notices(daemon: Daemon): Promise<number> {
  const figures = await daemon.tell({ do: 'figures' });
  return typeof figures === 'object' && figures !== null && 'notices' in figures
    ? Number(figures.notices)
    : Number.NaN;
}

t.test('the kernel is told of what changed, and of nothing else', needsFuse(), async (t) => {
  const daemon = await Daemon.start(t, { driver: 'linux', point: newMountPoint(t), tree: 'slow' });
  const put = (name: string, text: string, modifiedMs: number) =>
    daemon.tell({ do: 'put', path: `/docs/${name}`, text, modifiedMs });
  for (let index = 0; index < FILES; index += 1) await put(`f${index}`, 'same\n', FIRST_MS);
  const all = () =>
    shell('cat "$1"/docs/f* | sort | uniq -c | tr -s " "; ls "$1"/docs | wc -l', daemon.point);
  t.equal((await all()).output, ` ${FILES} same\n${FILES + 2}\n`);

  /** How many notices a change makes. */
  async function toldOf(change: () => Promise<unknown>): Promise<number> {
    const before = await notices(daemon);
    await change();
    return (await notices(daemon)) - before;
  }
  t.equal(await toldOf(() => put('f7', 'same\n', FIRST_MS)), 0, 'what is as it was');
  t.equal(await toldOf(() => put('f7', 'edit\n', FIRST_MS + 1)), 1, 'an edit: its name');
  t.equal((await all()).output, ` 1 edit\n ${FILES - 1} same\n${FILES + 2}\n`);
  t.equal(
    await toldOf(() => put('new', 'new\n', FIRST_MS)),
    2,
    'a new name: the listing, by two notices, since the time of its folder stays',
  );
  const removed = await toldOf(() => daemon.tell({ do: 'remove', path: '/docs/f9' }));
  t.ok(removed >= 1 && removed <= 2, `a name that is gone: itself, and the listing (${removed})`);
  // Each name that the kernel knows is compared.
  t.equal(await toldOf(() => daemon.tell({ do: 'invalidate', path: '/' })), 0, 'all is as it was told');
  t.same(await daemon.tell({ do: 'bugs' }), []);
});

t.test(
  'a folder that is gone is not found any more, though something was mounted on it',
  needsFuseAsRoot(),
  async (t) => {
    const daemon = await Daemon.start(t, { driver: 'linux', point: newMountPoint(t), tree: 'small' });
    await daemon.tell({ do: 'put', path: '/docs/left/file', text: 'one\n', modifiedMs: FIRST_MS });
    const folder = `${daemon.point}/docs/left`;
    t.teardown(() => shell('umount -l "$1" 2>&1', folder));
    t.equal((await shell('mount -t tmpfs none "$1" && touch "$1/over" && ls "$1"', folder)).output, 'over\n');
    await daemon.tell({ do: 'remove', path: '/docs/left' });
    t.equal((await shell('test -e "$1" || echo gone', folder)).output, 'gone\n');
    t.same(await daemon.tell({ do: 'bugs' }), []);
  },
);
