import t from 'tap';
import { memoryPlace } from './memory-place.ts';

const memory = (...args: string[]) => ['context', 'memory', ...args];

t.test('what waits for review is accepted or rejected without a mount', async (t) => {
  const { run, json } = memoryPlace(t);
  for (const place of ['fact/a', 'episodic/b', 'fact/c', 'episodic/d'])
    await run(memory('add', place, 'x', '--tags', 'kept,needs_review'));
  await run(memory('add', 'fact/counts', 'y'));

  t.match(await run(memory('accept', 'a')), { status: 0, out: 'accepted fact/a\n' });
  t.match(await json(...memory('show', 'a')), { tags: ['kept'], reviewer: 'kgraphfs', confidence: 1 });
  t.match(await run(memory('accept', 'context/review/b', 'fact/new/b')), {
    status: 0,
    out: 'accepted episodic/b as fact/new/b\n',
  });
  t.match(await run(memory('accept', 'd', 'fact/counts')), {
    status: 1,
    err: /there is already a memory with this name/,
  });
  t.match(await json(...memory('show', 'd')), { tags: ['kept', 'needs_review'], reviewer: null });

  t.match(await run(memory('reject', 'fact/c')), {
    status: 0,
    out: 'rejected fact/c; kgraphfs context memory restore fact/c brings it back\n',
  });
  t.match(await run(memory('show', 'c')), { status: 1 });
  t.match(await json('context', 'history', '--type', 'review'), [
    { path: '/context/memory/fact/a', data: { decision: 'accepted' } },
    { path: '/context/memory/fact/new/b', data: { decision: 'accepted' } },
    { path: '/context/memory/fact/c', data: { decision: 'rejected' } },
  ]);

  for (const verb of ['accept', 'reject'])
    t.match(await run(memory(verb, 'counts')), {
      status: 1,
      err: 'fact/counts does not wait for review\n  kgraphfs context memory list --tag needs_review shows what does',
    });
  t.match(await json(...memory('list', '--tag', 'needs_review')), [{ memory_type: 'episodic', key: 'd' }]);
  await run(memory('restore', 'c'));
  t.match(await run(memory('accept', 'c')), { status: 0 }, 'it waits again');
});

t.test(
  'names that models gave are told on one line, and as one word of a shell where they are to be pasted',
  async (t) => {
    const { run } = memoryPlace(t);
    const [name, shown] = ['fact/a\nb\u001b[2J', "$'fact/a\\nb\\x1b[2J'"];
    const tagged = ['x', '--tags', 'needs_review'];
    const out = async (...args: string[]) => (await run(memory(...args))).out;
    t.equal(await out('add', name, ...tagged), `remembered ${shown}\n`);
    t.equal(await out('add', 'fact/c d', 'x'), 'remembered fact/c d\n');
    t.match(await run(memory('add', 'fact/c d', 'x')), {
      err: /edit 'fact\/c d' changes it, kgraphfs vfs write '\/context\/memory\/fact\/c d' replaces it/,
    });
    t.equal(await out('relate', name, 'follows', 'fact/c d'), `${shown} follows fact/c d, weight 1\n`);
    const restore = `kgraphfs context memory restore ${shown} brings it back\n`;
    t.equal(await out('reject', name), `rejected ${shown}; ${restore}`);
    t.equal(await out('restore', name), `restored ${shown}\n`);
    t.equal(await out('accept', name), `accepted ${shown}\n`);
    t.match(await run(memory('accept', name)), { err: `kgraphfs: ${shown} does not wait for review\n` });
    t.equal(await out('remove', name), `removed ${shown}; ${restore}`);
  },
);
