import t from 'tap';
import type { MemoryPlace } from '../../src/core/memory-entry.ts';
import type { MemoryFiles } from '../../src/memory/memory-files.ts';
import {
  attribute,
  CONTEXT,
  codeOf,
  exists,
  fact,
  kept,
  keys,
  names,
  type Remembering,
  read,
  remembering,
  set,
  write,
} from './fixture.ts';

const REFUNDS = fact('refunds');

/** An entry with an identity to lose. */
function withEntry(t: Parameters<typeof remembering>[0]): Remembering & { id: number } {
  const subject = remembering(t);
  write(subject.files, REFUNDS, 'Refunds take 5 days\n');
  set(subject.files, REFUNDS, 'confidence', '0.9');
  subject.clock.advance(60_000);
  subject.told();
  return { ...subject, id: subject.memory.get(REFUNDS)?.id ?? 0 };
}

function createWithMode(files: MemoryFiles, place: MemoryPlace, mode: number, text: string): void {
  const file = files.create(place, { append: false, truncate: false, exclusive: true, mode }, CONTEXT);
  file.write(Buffer.from(text), 0, CONTEXT);
  file.flush(CONTEXT);
  file.close();
}

t.test('temporary file and rename: the entry has the new content and is what it was', async (t) => {
  const { files, memory, id, events } = withEntry(t);
  const before = memory.get(REFUNDS);
  write(files, fact('.refunds.swp'), 'swap');
  write(files, fact('refunds~tmp'), 'v2\n');
  t.same(keys(memory), ['refunds']);
  t.same(names(files), ['.refunds.swp', 'refunds', 'refunds~tmp']);
  files.rename(fact('refunds~tmp'), REFUNDS, CONTEXT);
  files.remove(fact('.refunds.swp'), CONTEXT);
  const after = memory.get(REFUNDS);
  t.equal(kept(memory, REFUNDS), 'v2\n');
  t.same(names(files), ['refunds']);
  t.match(after, { id, confidence: 0.9, createdMs: before?.createdMs, version: (before?.version ?? 0) + 1 });
  t.equal(events.at(-1)?.type, 'write');
  t.match(events.at(-1)?.data, { before: { text: 'Refunds take 5 days\n' } });
  t.ok(
    events.every(({ path }) => path === '/context/memory/fact/refunds'),
    'editors’ files are not told',
  );
});

t.test('vim, backup by rename: the entry comes back with the file that has its name', async (t) => {
  const { files, memory, id, events } = withEntry(t);
  events.length = 0;
  write(files, fact('4913'), '');
  t.same(keys(memory), ['refunds'], 'a probe is no memory');
  files.remove(fact('4913'), CONTEXT);
  files.rename(REFUNDS, fact('refunds~'), CONTEXT);
  t.same(keys(memory), []);
  t.equal(read(files, fact('refunds~')), 'Refunds take 5 days\n');
  createWithMode(files, REFUNDS, 0o644, 'Refunds take 6 days\n');
  t.equal(memory.get(REFUNDS)?.id, id);
  t.equal(read(files, fact('refunds~')), 'Refunds take 5 days\n');
  files.remove(fact('refunds~'), CONTEXT);
  t.same(names(files), ['refunds']);
  t.match(memory.get(REFUNDS), { id, confidence: 0.9 });
  t.same(memory.list({ removed: true }), []);
  t.same(
    events.map(({ type }) => type),
    ['rename', 'write'],
  );
});

t.test('a backup by rename that is open keeps its own content', async (t) => {
  const { files, memory } = withEntry(t);
  files.rename(REFUNDS, fact('refunds~'), CONTEXT);
  const backup = files.openToWrite(fact('refunds~'), { append: true, truncate: false }, CONTEXT);
  createWithMode(files, REFUNDS, 0o644, 'new\n');
  backup.write(Buffer.from('more\n'), 0, CONTEXT);
  backup.flush(CONTEXT);
  backup.close();
  t.equal(kept(memory, REFUNDS), 'new\n');
  t.equal(read(files, fact('refunds~')), 'Refunds take 5 days\nmore\n');
});

t.test('a backup by rename, then a temporary file and rename', async (t) => {
  const { files, memory, id } = withEntry(t);
  write(files, fact('refunds.tmp'), 'v2\n');
  files.rename(REFUNDS, fact('refunds.bak'), CONTEXT);
  files.rename(fact('refunds.tmp'), REFUNDS, CONTEXT);
  t.match(memory.get(REFUNDS), { id, confidence: 0.9 });
  t.equal(kept(memory, REFUNDS), 'v2\n');
  t.equal(read(files, fact('refunds.bak')), 'Refunds take 5 days\n');
});

t.test('a backup that is moved back is the entry again', async (t) => {
  const { files, memory, id } = withEntry(t);
  files.rename(REFUNDS, fact('refunds.bak'), CONTEXT);
  files.rename(fact('refunds.bak'), REFUNDS, CONTEXT);
  t.match(memory.get(REFUNDS), { id, confidence: 0.9 });
  files.rename(REFUNDS, fact('refunds.bak'), CONTEXT);
  files.rename(fact('refunds.bak'), fact('returns'), CONTEXT);
  t.match(memory.get(fact('returns')), { id, confidence: 0.9 }, 'under another name, too');
});

t.test('an entry that was moved to the name of a backup and removed can be restored', async (t) => {
  const { files, memory, id } = withEntry(t);
  files.rename(REFUNDS, fact('refunds.bak'), CONTEXT);
  files.remove(fact('refunds.bak'), CONTEXT);
  t.same(
    memory.list({ removed: true }).map(({ key }) => key),
    ['refunds'],
  );
  t.equal(memory.restore('refunds', CONTEXT).id, id);
  t.equal(kept(memory, REFUNDS), 'Refunds take 5 days\n');
});

t.test('sed -i: a file of mkstemp, its mode set, renamed', async (t) => {
  const { files, memory, id } = withEntry(t);
  const sed = fact('sedAb12Cd');
  const file = files.create(sed, { append: false, truncate: false, exclusive: true, mode: 0o600 }, CONTEXT);
  file.write(Buffer.from('Refunds take 6 days\n'), 0, CONTEXT);
  files.changeMode(sed, 0o644);
  file.flush(CONTEXT);
  file.close();
  t.same(keys(memory), ['refunds']);
  files.rename(sed, REFUNDS, CONTEXT);
  t.match(memory.get(REFUNDS), { id, confidence: 0.9 });
  t.equal(kept(memory, REFUNDS), 'Refunds take 6 days\n');
  t.equal(files.stat(REFUNDS).mode, 0o644);
});

t.test('sed -i whose random name looks like a word', async (t) => {
  const { files, memory, id, events } = withEntry(t);
  events.length = 0;
  createWithMode(files, fact('sedqwerty'), 0o600, 'Refunds take 6 days\n');
  files.rename(fact('sedqwerty'), REFUNDS, CONTEXT);
  t.match(memory.get(REFUNDS), { id, confidence: 0.9 });
  t.equal(kept(memory, REFUNDS), 'Refunds take 6 days\n');
  t.same(names(files), ['refunds']);
  t.same(
    events.map(({ type, path }) => `${type} ${path}`),
    [
      'create /context/memory/fact/sedqwerty',
      'remove /context/memory/fact/sedqwerty',
      'write /context/memory/fact/refunds',
    ],
    'it was taken for a memory until then',
  );
});

t.test('perl -i: a file of mkstemp, renamed', async (t) => {
  const { files, memory, id } = withEntry(t);
  createWithMode(files, fact('XXaBJ4dj'), 0o600, 'Refunds take 6 days\n');
  files.changeMode(fact('XXaBJ4dj'), 0o644);
  t.same(keys(memory), ['refunds']);
  files.rename(fact('XXaBJ4dj'), REFUNDS, CONTEXT);
  t.match(memory.get(REFUNDS), { id, confidence: 0.9 });
});

t.test('older perl -i: removed while it is open, and made anew', async (t) => {
  const { files, memory, id, events } = withEntry(t);
  events.length = 0;
  const reader = files.open(REFUNDS, CONTEXT);
  files.remove(REFUNDS, CONTEXT);
  t.same(keys(memory), []);
  createWithMode(files, REFUNDS, 0o644, 'Refunds take 6 days\n');
  reader.close();
  t.match(memory.get(REFUNDS), { id, confidence: 0.9 });
  t.equal(kept(memory, REFUNDS), 'Refunds take 6 days\n');
  t.same(memory.list({ removed: true }), []);
  t.same(memory.versions(REFUNDS).length, 1);
  t.same(
    events.map(({ type }) => type),
    ['remove', 'write'],
  );
});

t.test('who removes a file that nobody has open, and makes another, has made another', async (t) => {
  const { files, memory, id } = withEntry(t);
  files.open(REFUNDS, CONTEXT).close();
  files.remove(REFUNDS, CONTEXT);
  write(files, REFUNDS, 'Something else\n');
  t.not(memory.get(REFUNDS)?.id, id);
  t.equal(attribute(files, REFUNDS, 'confidence'), undefined);
  t.equal(memory.list({ removed: true }).length, 1);
});

t.test('what a tool says of its temporary file holds for the entry', async (t) => {
  const { files } = withEntry(t);
  write(files, fact('refunds.tmp'), 'v2\n');
  set(files, fact('refunds.tmp'), 'tags', 'billing');
  set(files, fact('refunds.tmp'), 'confidence', '0.5');
  files.rename(fact('refunds.tmp'), REFUNDS, CONTEXT);
  t.equal(attribute(files, REFUNDS, 'tags'), 'billing');
  t.equal(attribute(files, REFUNDS, 'confidence'), '0.5');
});

t.test('a temporary file under a new name is a new entry', async (t) => {
  const { files, memory, events } = withEntry(t);
  write(files, fact('new.tmp'), 'new\n');
  files.rename(fact('new.tmp'), fact('new'), CONTEXT);
  t.same(keys(memory), ['new', 'refunds']);
  t.match(events.at(-1), { type: 'create', path: '/context/memory/fact/new' });
});

t.test('a temporary file whose front matter is impossible is not let in', async (t) => {
  const { files, memory, errors } = withEntry(t);
  write(files, fact('refunds.tmp'), '---\nconfidence: 7\n---\n');
  t.equal(
    codeOf(() => files.rename(fact('refunds.tmp'), REFUNDS, CONTEXT)),
    'EINVAL',
  );
  t.equal(kept(memory, REFUNDS), 'Refunds take 5 days\n');
  t.equal(read(files, fact('refunds.tmp')), '---\nconfidence: 7\n---\n');
  t.match(errors.entries(), [{ code: 'EINVAL', path: '/context/memory/fact/refunds', line: 2 }]);
});

t.test('what an open temporary file holds is not lost where its rename is refused', async (t) => {
  const { files } = withEntry(t);
  const place = fact('refunds.tmp');
  const file = files.create(place, { append: false, truncate: false, exclusive: true, mode: 0o644 }, CONTEXT);
  file.write(Buffer.from('---\nconfidence: 7\n---\n'), 0, CONTEXT);
  t.equal(
    codeOf(() => files.rename(place, REFUNDS, CONTEXT)),
    'EINVAL',
  );
  file.flush(CONTEXT);
  file.close();
  t.equal(read(files, place), '---\nconfidence: 7\n---\n');
});

t.test('temporary files are found by no search and counted by nobody', async (t) => {
  const { files, memory } = withEntry(t);
  write(files, fact('refunds.tmp'), 'Refunds of a draft');
  t.same(
    memory.search({ text: 'refunds', limit: 10 }).map(({ path }) => path),
    ['memory/fact/refunds'],
  );
  t.equal(memory.count(), 1);
  t.same(memory.find('refunds.tmp'), []);
});

t.test('temporary files survive the process, and are gone after the time that they are kept', async (t) => {
  const first = withEntry(t);
  write(first.files, fact('refunds.tmp'), 'draft');
  const second = remembering(t, { startMs: first.clock.nowMs() }, first.file);
  t.equal(read(second.files, fact('refunds.tmp')), 'draft');
  second.clock.advance(86_400_000 - 1);
  t.same(second.memory.gc({ dryRun: false }, CONTEXT).removed, []);
  second.clock.advance(1);
  t.same(second.memory.gc({ dryRun: true }, CONTEXT).removed, [fact('refunds.tmp')]);
  t.equal(exists(second.files, fact('refunds.tmp')), true);
  t.match(second.memory.gc({ dryRun: false }, CONTEXT), { removed: [fact('refunds.tmp')], freedBytes: 5 });
  t.equal(exists(second.files, fact('refunds.tmp')), false);
});

t.test('gc keeps a temporary file that is open, and an entry that was left under such a name', async (t) => {
  const { files, memory, clock, id } = withEntry(t);
  write(files, fact('open.tmp'), 'draft');
  const file = files.open(fact('open.tmp'), CONTEXT);
  files.rename(REFUNDS, fact('refunds.bak'), CONTEXT);
  clock.advance(2 * 86_400_000);
  t.same(memory.gc({ dryRun: false }, CONTEXT).removed, []);
  t.same(names(files), ['open.tmp']);
  t.equal(memory.restore('refunds', CONTEXT).id, id);
  file.close();
});

t.test('a number that gets a content is a memory', async (t) => {
  const { files, memory } = withEntry(t);
  write(files, fact('2026'), '');
  t.same(keys(memory), ['refunds']);
  write(files, fact('2026'), 'a year');
  t.same(keys(memory), ['2026', 'refunds']);
  write(files, fact('2026'), '');
  t.same(keys(memory), ['2026', 'refunds'], 'and stays one');
});

t.test('a folder that is renamed to a backup sets its entries aside', async (t) => {
  const { files, memory, clock } = withEntry(t);
  files.makeFolder(fact('billing'), 0o755);
  write(files, fact('billing/tax'), 'Tax is added');
  files.rename(fact('billing'), fact('billing.bak'), CONTEXT);
  t.same(keys(memory), ['refunds']);
  files.rename(fact('billing.bak'), fact('billing'), CONTEXT);
  t.same(keys(memory), ['billing/tax', 'refunds']);
  files.rename(fact('billing'), fact('billing.bak'), CONTEXT);
  clock.advance(2 * 86_400_000);
  memory.gc({ dryRun: false }, CONTEXT);
  t.equal(kept(memory, memory.restore('billing/tax', CONTEXT)), 'Tax is added');
});
