import t from 'tap';
import { memoryPlace } from './memory-place.ts';

const MEMORY = '/context/memory/fact';

t.test('a file of memory is made or replaced, with its metadata', async (t) => {
  const { run, json } = memoryPlace(t);
  t.match(await run(['vfs', 'write', `${MEMORY}/a`, 'Refunds take', '5 days']), {
    status: 0,
    out: `wrote 20 bytes to ${MEMORY}/a\n`,
    err: '',
  });
  t.match(
    await json(
      'vfs',
      'write',
      `${MEMORY}/a`,
      'new',
      '--confidence',
      '0.5',
      '--tags',
      'x,y',
      '--source',
      'a.md,b.md',
    ),
    { path: `${MEMORY}/a`, size_bytes: 4 },
  );
  t.match(await json('context', 'memory'), [
    {
      key: 'a',
      content: 'new\n',
      confidence: 0.5,
      tags: ['x', 'y'],
      source_paths: ['a.md', 'b.md'],
      actor: 'kgraphfs',
    },
  ]);
});

t.test('folders on the way are made', async (t) => {
  const { run, json } = memoryPlace(t);
  t.match(await run(['vfs', 'write', `${MEMORY}/billing/eu/refunds`, 'x']), { status: 0 });
  t.match(await json('context', 'memory'), [{ key: 'billing/eu/refunds' }]);
  t.match(await run(['vfs', 'write', '/context/memory/gossip/a', 'x']), {
    status: 1,
    err: /E(PERM|ACCES|ROFS): /,
  });
});

t.test('bytes come from standard input or a file as they are', async (t) => {
  const { run, json, file } = memoryPlace(t);
  await run(['vfs', 'write', `${MEMORY}/a`], { input: 'piped' });
  file('bytes', Buffer.from([0, 255]));
  await run(['vfs', 'write', `${MEMORY}/b`, '--from', 'bytes']);
  await run(['vfs', 'write', `${MEMORY}/c`, '--from', '-'], { input: '' });
  t.match(await json('context', 'memory'), [
    { key: 'a', content: 'piped' },
    { key: 'b', content: 'AP8=', encoding: 'base64' },
    { key: 'c', content: '', size_bytes: 0 },
  ]);
  await run(['vfs', 'write', `${MEMORY}/a`, '--from', '-'], { input: '' });
  t.match(await json('context', 'memory', 'show', 'a'), { content: '' });
  await run(['vfs', 'write', `${MEMORY}/b`, '-'], { input: 'as of programs that take a file' });
  t.match(await json('context', 'memory', 'show', 'b'), { content: 'as of programs that take a file' });
  await run(['context', 'memory', 'add', 'fact/d', '-'], { input: 'piped, too' });
  t.match(await json('context', 'memory', 'show', 'd'), { content: 'piped, too' });
  await run(['vfs', 'write', `${MEMORY}/d`, '-', 'is a word among others']);
  t.match(await json('context', 'memory', 'show', 'd'), { content: '- is a word among others\n' });
  t.match(await run(['vfs', 'write', `${MEMORY}/a`, '--from', 'none']), {
    status: 1,
    err: /^kgraphfs: none: /,
  });
});

t.test('what is refused leaves the entry as it was, and says why', async (t) => {
  const { run, json, file } = memoryPlace(t);
  file('kgraphfs.config.json', '{"memory":{"maxEntryBytes":100}}');
  await run(['vfs', 'write', `${MEMORY}/a`, 'kept']);
  t.match(await run(['vfs', 'write', `${MEMORY}/a`], { input: 'x'.repeat(101) }), {
    status: 1,
    err: /EFBIG.*at most 100 bytes/,
  });
  t.match(await run(['vfs', 'write', `${MEMORY}/a`], { input: '---\nconfidence: 7\n---\n' }), {
    status: 1,
    err: /^kgraphfs: EINVAL: \/context\/memory\/fact\/a: front matter, line 2: confidence/,
  });
  t.match(await run(['vfs', 'write', `${MEMORY}/a`, 'x', '--confidence', 'high']), {
    status: 2,
    err: /--confidence "high"/,
  });
  t.match(await run(['vfs', 'write', `${MEMORY}/b`], { input: '---\nconfidence: 7\n---\n' }), { status: 1 });
  t.match(await json('context', 'memory'), [{ key: 'a', content: 'kept\n' }]);
  t.same(((await json('context', 'memory')) as unknown[]).length, 1);
});

t.test('what is no place to write to is refused with the errno of a disk', async (t) => {
  const { run } = memoryPlace(t);
  t.match(await run(['vfs', 'write', '/docs/x.md', 'x']), {
    status: 1,
    err: /^kgraphfs: EROFS: \/docs\/x\.md: /,
  });
  t.match(await run(['vfs', 'write', '/docs/refunds.md', 'x']), {
    status: 1,
    err: /^kgraphfs: EROFS: \/docs\/refunds\.md: /,
  });
  t.match(await run(['vfs', 'write', '/AGENTS.md', 'x']), { status: 1, err: /EROFS: \/AGENTS\.md/ });
  t.match(await run(['vfs', 'write', '/docs', 'x']), { status: 1, err: /E(ISDIR|ROFS): \/docs/ });
  t.match(await run(['vfs', 'write', '/nowhere/x', 'x']), { status: 1, err: /EROFS: \/nowhere/ });
  t.match(await run(['vfs', 'write', '/context/scratchpad/x', 'x', '--tags', 'a']), {
    status: 2,
    err: /--confidence, --tags and --source are for entries of memory/,
  });
});

t.test('the scratchpad of a session is written to', async (t) => {
  const { run } = memoryPlace(t);
  const env = { KGRAPHFS_SESSION: 's-1' };
  t.match(await run(['vfs', 'write', '/context/scratchpad/notes', 'draft'], { env }), { status: 0 });
  t.equal((await run(['vfs', 'read', '/context/scratchpad/notes'], { env })).out, 'draft\n');
});
