import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, open, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { openApp } from '../../src/app/app.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { memoryPlace } from './memory-place.ts';
import { kgraphfs, MAIN } from './run-cli.ts';

/** SQLite sleeps while another process writes; Node waits for events otherwise. Nothing else of this process goes on meanwhile. */
function waitUntilItWaitsForUs(pid: number | undefined): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (readFileSync(`/proc/${pid}/wchan`, 'latin1') !== 'hrtimer_nanosleep') Atomics.wait(pause, 0, 0, 1);
}

const memory = (...args: string[]) => ['context', 'memory', ...args];

t.test('an empty memory is an empty array, and no failure', async (t) => {
  const { run } = memoryPlace(t);
  t.match(await run(memory('list', '--json')), { status: 0, out: '[]\n', err: '' });
  t.match(await run(memory('--json')), { status: 0, out: '[]\n' });
  t.match(await run(memory('fact')), { status: 0, out: '', err: 'no entries\n' });
});

t.test('an entry that was added is listed with all that is known of it', async (t) => {
  const { run, json } = memoryPlace(t);
  const added = await run(
    memory(
      'add',
      'fact/billing/refunds',
      'Refunds take',
      '5 days',
      '--confidence',
      '0.9',
      '--tags',
      'billing, refund',
      '--source',
      'refunds.md:1',
      '--source',
      'b.md',
      '--ttl',
      '30d',
    ),
    { env: { KGRAPHFS_ACTOR: 'ana', KGRAPHFS_SESSION: 's-1' } },
  );
  t.match(added, { status: 0, out: 'remembered fact/billing/refunds\n', err: '' });
  const [entry] = (await json(...memory('list'))) as [Record<string, unknown>];
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  t.match(entry, {
    key: 'billing/refunds',
    memory_type: 'fact',
    content: 'Refunds take 5 days\n',
    size_bytes: 20,
    confidence: 0.9,
    tags: ['billing', 'refund'],
    source_paths: ['refunds.md:1', 'b.md'],
    provenance: {},
    ttl: 30 * 86_400,
    access_count: 0,
    created_at: iso,
    updated_at: iso,
    expires_at: iso,
    removed_at: null,
    session: 's-1',
    actor: 'ana',
    version: 1,
    duplicate_of: null,
    superseded_by: null,
  });
  const table = await run(memory('list'));
  t.match(table.out, /^ENTRY +CONFIDENCE +TAGS +UPDATED +BYTES +CONTENT\n/);
  t.match(
    table.out,
    /\nfact\/billing\/refunds +0\.9 +billing, refund +\d{4}-\d\d-\d\d \d\d:\d\dZ +20 +Refunds take 5 days\n$/,
  );
});

t.test('a first line that is a whole page is cut in the table, also in a pipe', async (t) => {
  const { run } = memoryPlace(t);
  await run(memory('add', 'fact/page', 'Kilns are hot. '.repeat(1000)));
  const { out } = await run(memory('list'));
  t.match(out, /Kilns are hot\. .{100,}…\n$/);
  t.ok(out.length < 500, `${out.length} characters`);
});

t.test('the list can be narrowed to a kind, a tag and a number', async (t) => {
  const { run, json, remove } = memoryPlace(t);
  await run(memory('add', 'fact/a', 'one', '--tags', 'x'));
  await run(memory('add', 'fact/b', 'two'));
  await run(memory('add', 'episodic/c', 'three', '--tags', 'x'));
  const names = async (...args: string[]) =>
    ((await json(...memory(...args))) as { key: string }[]).map(({ key }) => key);
  t.same(await names('list'), ['a', 'b', 'c']);
  t.same(await names('fact'), ['a', 'b']);
  t.same(await names('list', 'Episodic'), ['c']);
  t.same(await names('list', '--tag', 'x'), ['a', 'c']);
  t.same(await names('list', '--limit', '2'), ['a', 'b']);
  t.same(await names('list', '--removed'), []);
  remove({ type: 'fact', key: 'a' });
  t.same(await names('list', '--removed'), ['a']);
  t.same(await names('list'), ['b', 'c']);
  t.match(await run(memory('lsit')), { status: 2, err: /there is no kind of memory "lsit"/ });
});

t.test('content comes from words, a file or standard input, the latter byte for byte', async (t) => {
  const { run, file, folder } = memoryPlace(t);
  const bytes = Buffer.from([0xff, 0, 10, 13, 10]);
  file('bytes', bytes);
  const read = async (key: string) =>
    (await run(['vfs', 'read', `/context/memory/fact/${key}`, '--json'])).out;
  t.equal((await run(memory('add', 'fact/f', '--from', 'bytes'))).status, 0);
  t.match(JSON.parse(await read('f')), { encoding: 'base64', content: bytes.toString('base64') });
  t.equal((await run(memory('add', 'fact/i', '--from', '-'), { input: 'no line feed' })).status, 0);
  t.match(JSON.parse(await read('i')), { content: 'no line feed' });
  t.equal((await run(memory('add', 'fact/p'), { input: 'piped\n' })).status, 0);
  t.match(JSON.parse(await read('p')), { content: 'piped\n' });
  t.match(await run(memory('add', 'fact/n')), { status: 1, err: /there is no text to remember/ });
  t.match(await run(memory('add', 'fact/n', '--from', 'none')), {
    status: 1,
    err: /^kgraphfs: none: cannot be read/,
  });
  t.match(await run(memory('add', 'fact/n', '--from', folder)), { status: 1, err: /this is a folder/ });
  t.match(await run(memory('add', 'fact/n', 'x', '--from', 'bytes')), {
    status: 2,
    err: /cannot be used together/,
  });
});

t.test('an entry that is there is not replaced by add', async (t) => {
  const { run, json } = memoryPlace(t);
  await run(memory('add', 'fact/a', 'first'));
  t.match(await run(memory('add', 'fact/a', 'second')), {
    status: 1,
    err: /^kgraphfs: EEXIST: \/context\/memory\/fact\/a: .*\n.*context memory edit fact\/a .*vfs write \/context\/memory\/fact\/a/,
  });
  t.match(await json(...memory('list')), [{ content: 'first\n' }]);
});

t.test('what add cannot make sense of is refused, and nothing is added', async (t) => {
  const { run, json } = memoryPlace(t);
  t.match(await run(memory('add', 'refunds', 'x')), {
    status: 2,
    err: /"refunds" has no kind; write fact\/refunds/,
  });
  t.match(await run(memory('add', 'gossip/a', 'x')), {
    status: 2,
    err: /there is no kind of memory "gossip"; the kinds are/,
  });
  t.match(await run(memory('add', 'fact/a', 'x', '--confidence', '7')), {
    status: 2,
    err: /--confidence "7": confidence has to be a number from 0 to 1/,
  });
  t.match(await run(memory('add', 'fact/a', 'x', '--ttl', 'soon')), {
    status: 2,
    err: /--ttl "soon": ttl has to be a number/,
  });
  t.match(await run(memory('add', 'fact/../a', 'x')), { status: 1, err: /EINVAL/ });
  const bad = '---\nconfidence: 7\n---\nx\n';
  t.match(await run(memory('add', 'fact/a'), { input: bad }), {
    status: 1,
    err: /EINVAL: .*line 2: confidence/,
  });
  t.match(await run(memory('add', 'fact/a', 'x'), { env: { KGRAPHFS_SESSION: '../x' } }), {
    status: 1,
    err: /KGRAPHFS_SESSION: "\.\.\/x" is not a session id/,
  });
  t.same(await json(...memory('list')), []);
});

t.test('show has the metadata, the relations and the content of one entry', async (t) => {
  const { run, json } = memoryPlace(t);
  await run(
    memory('add', 'fact/refunds', 'Refunds take 5 days', '--tags', 'billing', '--source', 'refunds.md'),
  );
  await run(memory('add', 'episodic/refunds', 'Ana asked'));
  await run(memory('add', 'fact/old', 'Refunds take 9 days\u001b[2J'));
  await run(memory('relate', 'fact/refunds', 'supersedes', 'old', '--weight', '.5'));
  const page = await run(memory('show', '/context/memory/fact/refunds'));
  t.match(page.out, /^fact\/refunds\n/);
  t.match(page.out, /\ntags +billing\nsources +refunds\.md\n/);
  t.match(page.out, /\nsupersedes → fact\/old 0\.5\n\nRefunds take 5 days\n$/);
  const old = (await run(memory('show', 'old'))).out;
  t.match(old, /\nsuperseded by +fact\/refunds\n/);
  t.match(old, /\nsupersedes ← fact\/refunds 0\.5\n/);
  t.match(old, 'Refunds take 9 days\\x1b[2J');
  t.match(await json(...memory('show', 'fact/refunds')), {
    key: 'refunds',
    relations: [{ relation: 'supersedes', direction: 'out', entry: 'fact/old', weight: 0.5 }],
  });
});

t.test('a name that means several entries, or none, is answered with what may be meant', async (t) => {
  const { run } = memoryPlace(t);
  await run(memory('add', 'fact/refunds', 'a'));
  await run(memory('add', 'episodic/refunds', 'b'));
  t.match(await run(memory('show', 'refunds')), {
    status: 1,
    out: '',
    err: 'kgraphfs: "refunds" may be fact/refunds or episodic/refunds; say which\n',
  });
  t.match(await run(memory('show', 'refnds')), {
    status: 1,
    err: /^kgraphfs: nothing is remembered as "refnds"; did you mean refunds\?\n/,
  });
});

t.test('relate sets relations that exist, between entries that exist', async (t) => {
  const { run, json } = memoryPlace(t);
  await run(memory('add', 'fact/a', 'x'));
  await run(memory('add', 'fact/b', 'y'));
  t.match(await json(...memory('relate', 'a', 'caused_by', 'b')), {
    from: 'fact/a',
    relation: 'caused_by',
    to: 'fact/b',
    weight: 1,
  });
  t.match(await run(memory('relate', 'a', 'causd_by', 'b')), { status: 2, err: /did you mean caused_by\?/ });
  t.match(await run(memory('relate', 'a', 'follows', 'b', '--weight', '0')), {
    status: 2,
    err: /--weight takes a number/,
  });
  t.match(await run(memory('relate', 'a', 'follows', 'c')), {
    status: 1,
    err: /nothing is remembered as "c"/,
  });
});

t.test(
  'edit takes what the editor saved, keeping the entry where nothing or nonsense was saved',
  async (t) => {
    const { run, json, file, folder } = memoryPlace(t);
    await run(memory('add', 'fact/a', 'Refunds take 5 days'));
    const edit = (editor: string) =>
      kgraphfs(memory('edit', 'a'), { cwd: folder, env: { VISUAL: '', EDITOR: editor, TMPDIR: folder } });
    const content = async () => ((await json(...memory('list'))) as [{ content: string }])[0].content;
    t.match(edit('true'), { status: 0, out: 'fact/a is unchanged\n' });
    t.match(edit('sed -i s/5/6/'), { status: 0, out: 'changed fact/a\n' });
    t.equal(await content(), 'Refunds take 6 days\n');
    t.match(edit('sh -c "echo lost > $1; exit 3" --'), {
      status: 1,
      err: /ended with 3; nothing was changed/,
    });
    t.match(edit('no-such-editor'), {
      status: 1,
      err: /no-such-editor" was not found; set VISUAL or EDITOR/,
    });
    t.match(await run(memory('edit', 'a')), {
      status: 1,
      err: /no terminal for the editor vi, .*; kgraphfs vfs write \/context\/memory\/fact\/a - replaces/,
    });
    t.match(edit('rm'), { status: 1, err: /what the editor saved cannot be read/ });
    t.equal(await content(), 'Refunds take 6 days\n');

    file('bad', '---\ntags: x\nconfidence: 7\n---\n');
    const { status, err } = edit(`cp '${join(folder, 'bad')}'`);
    t.equal(status, 1);
    t.match(err, /EINVAL: \/context\/memory\/fact\/a: front matter, line 3: confidence/);
    const kept = /kept in (\S+);/.exec(err)?.[1] ?? '';
    t.match(kept, /\/a\.md$/);
    t.equal(statSync(kept).mode & 0o777, 0o600);
    t.match(readFileSync(kept, 'utf8'), 'confidence: 7');
    t.equal(await content(), 'Refunds take 6 days\n');
  },
);

t.test('what was saved in an editor that failed, or is not there to be read, is kept', async (t) => {
  const { run, json, file, folder } = memoryPlace(t);
  await run(memory('add', 'fact/a', 'Refunds take 5 days'));
  const keptBy = (script: string) => {
    const VISUAL = `sh ${file('editor', script)}`;
    const { status, err } = kgraphfs(memory('edit', 'a'), { cwd: folder, env: { VISUAL, TMPDIR: folder } });
    t.equal(status, 1);
    return { err, kept: /kept in ([^\s;:]+)/.exec(err)?.[1] };
  };
  const left = () => readdirSync(folder).filter((name) => name.startsWith('kgraphfs-edit-'));
  t.equal(keptBy('exit 1').kept, undefined);
  t.equal(keptBy('rm "$1"').kept, undefined, 'nothing was written');
  t.same(left(), []);
  const killed = keptBy('echo edited > "$1"; kill -KILL $$');
  t.match(
    killed.err,
    /the editor ".*" ended with (?:SIGKILL|137); nothing was changed\n.*vfs write .* --from/,
  );
  t.equal(readFileSync(killed.kept ?? '', 'utf8'), 'edited\n');
  const died = keptBy('echo edited > "$1.save"; kill -KILL $$');
  t.match(died.err, /what the editor left is kept in .*: a\.md\.save$/m);
  t.equal(readFileSync(join(died.kept ?? '', 'a.md.save'), 'utf8'), 'edited\n');
  const folderInItsPlace = keptBy('mv "$1" "$1~"; mkdir "$1"; echo edited > "$1/text"');
  t.match(folderInItsPlace.err, /what the editor saved cannot be read: EISDIR/);
  t.equal(readFileSync(join(folderInItsPlace.kept ?? '', 'text'), 'utf8'), 'edited\n');
  t.match(await json(...memory('list')), [{ content: 'Refunds take 5 days\n' }]);
});

t.test('edit does not undo what somebody else wrote meanwhile', async (t) => {
  const { run, json, file, folder } = memoryPlace(t);
  await run(memory('add', 'fact/a', 'mine'));
  const write = `'${process.execPath}' '${MAIN}'`;
  const editor = file(
    'editor',
    `#!/bin/sh\n${write} vfs write /context/memory/fact/a theirs\necho edited > "$1"\n`,
  );
  const env = { VISUAL: `sh ${editor}`, TMPDIR: folder };
  const { status, err } = kgraphfs(memory('edit', 'a'), { cwd: folder, env });
  t.equal(status, 1);
  t.match(err, /fact\/a was changed or removed by somebody else in the meantime\n.*kept in /);
  t.match(await json(...memory('list')), [{ content: 'theirs\n' }]);
  t.ok(existsSync(/kept in (\S+);/.exec(err)?.[1] ?? ''));
});

t.test('nor what somebody put there whose first version it is', async (t) => {
  const { run, json, file, folder } = memoryPlace(t);
  await run(memory('add', 'fact/a', 'mine'));
  const command = `'${process.execPath}' '${MAIN}' context memory`;
  const editor = file(
    'editor',
    `#!/bin/sh\n${command} remove fact/a\n${command} add fact/a theirs\necho edited > "$1"\n`,
  );
  const env = { VISUAL: `sh ${editor}`, TMPDIR: folder };
  t.match(kgraphfs(memory('edit', 'a'), { cwd: folder, env }), {
    status: 1,
    err: /fact\/a was changed or removed by somebody else in the meantime\n/,
  });
  t.match(await json(...memory('list')), [{ content: 'theirs\n' }]);
});

t.test('nor what somebody else is about to write when the editor ends', async (t) => {
  const { run, json, folder } = memoryPlace(t);
  await run(memory('add', 'fact/a', 'mine'));
  const app = openApp({ settings: loadSettings({}, folder) });
  const saved = join(folder, 'saved');
  execFileSync('mkfifo', [saved]);
  const edit = spawn(process.execPath, [MAIN, ...memory('edit', 'a')], {
    cwd: folder,
    env: { ...process.env, VISUAL: `cp '${saved}'`, TMPDIR: folder },
    stdio: 'ignore',
  });
  t.teardown(() => edit.kill('SIGKILL'));
  const ended = once(edit, 'exit');
  // The editor reads it by then.
  const descriptor = await promisify(open)(saved, 'w');
  app.memory.transact(() => {
    app.memory.replace({ type: 'fact', key: 'a' }, Buffer.from('theirs\n'), {});
    writeSync(descriptor, 'edited\n');
    closeSync(descriptor);
    waitUntilItWaitsForUs(edit.pid);
  });
  app.close();
  await ended;
  t.match(await json(...memory('list')), [{ content: 'theirs\n' }]);
});

t.test('what was removed can be brought back, once, until it is forgotten', async (t) => {
  const { run, json } = memoryPlace(t);
  await run(memory('add', 'fact/a', 'x', '--tags', 'kept'));
  t.match(await run(memory('remove', 'b')), { status: 1, err: 'nothing is remembered as "b"' });
  t.match(await run(memory('remove', 'a')), {
    status: 0,
    out: 'removed fact/a; kgraphfs context memory restore fact/a brings it back\n',
  });
  t.match(await json('context', 'history', '--type', 'remove'), [{ path: '/context/memory/fact/a' }]);
  t.match(await run(memory('show', 'a')), { status: 1 });
  for (const words of [['rm'], ['rm', 'a']])
    t.match(await run(memory(...words)), {
      status: 2,
      err: /\n {2}kgraphfs context memory --help shows how\n$/,
    });
  t.match(await run(memory('gc', '--dry-run')), {
    status: 0,
    out: /^0 to forget for good, 0 expired to remove/,
  });
  t.match(await run(memory('restore', 'a')), { status: 0, out: 'restored fact/a\n' });
  t.match(await json(...memory('list')), [{ key: 'a', content: 'x\n', tags: ['kept'] }]);
  t.match(await run(memory('restore', 'a')), { status: 1, err: /ENOENT|EEXIST/ });
});

t.test('gc removes what has expired, and says so before it does', async (t) => {
  const { run, json } = memoryPlace(t);
  await run(memory('add', 'fact/short', 'x', '--ttl', '0.001'));
  await run(memory('add', 'fact/long', 'x', '--ttl', '1d'));
  t.same(await json(...memory('gc', '--dry-run')), {
    dry_run: true,
    removed: [],
    expired: ['fact/short'],
    freed_bytes: 0,
  });
  t.match(
    (await run(memory('gc'))).out,
    /^expired +fact\/short\n0 forgotten for good, 1 expired removed, 0 bytes freed\n$/,
  );
  t.match(await json(...memory('gc')), { dry_run: false, expired: { length: 0 } });
  t.match(await json(...memory('list', '--removed')), [{ key: 'short' }]);
});
