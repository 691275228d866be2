import t from 'tap';
import { sha256Of } from '../../src/memory/content.ts';
import type { MemoryFiles } from '../../src/memory/memory-files.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import type { Teardown } from '../support/temporary.ts';
import {
  append,
  CONTEXT,
  codeOf,
  fact,
  names,
  type Remembering,
  read,
  remembering,
  set,
  write,
} from './fixture.ts';

const REFUNDS = fact('refunds');
const PAYOUTS = fact('payouts');
const TEAM = fact('team');
const NEW_FILE = { append: false, truncate: false, exclusive: true, mode: 0o600 };

interface Interleaved {
  readonly mine: Remembering;
  readonly other: Remembering;
  /** Does something as the other process, just before the next transaction of this one begins. */
  before(act: (files: MemoryFiles) => void): void;
}

function interleaved(t: Teardown): Interleaved {
  const other = remembering(t, { session: 's-other' });
  const store = openContextStore(other.file);
  t.teardown(() => store.close());
  let next: ((files: MemoryFiles) => void) | undefined;
  const transact: typeof store.transact = (body) => {
    const act = next;
    next = undefined;
    act?.(other.files);
    return store.transact(body);
  };
  const mine = remembering(t, { store: { ...store, transact }, session: 's-mine' }, other.file);
  return {
    mine,
    other,
    before(act) {
      next = act;
    },
  };
}

/** The first entry as it is kept: where, and whether its content is the one that its row was written for. */
function first({ store }: Remembering): string {
  const { entries } = store.memory;
  const row = entries.byId(1);
  if (row === undefined) return 'nothing';
  const content = entries.content(row.id);
  const isSound = row.sizeBytes === content.length && row.sha256 === sha256Of(content);
  const name = row.folder === '' ? row.name : `${row.folder}/${row.name}`;
  return `${name}: ${content}${row.removedMs === null ? '' : ', removed'}${isSound ? '' : ', damaged'}`;
}

/** What is done by path, and what comes of an entry that said "one" and that another process appended "two" to just before. */
const CHANGES: Readonly<Record<string, { change: (files: MemoryFiles) => void; becomes: string }>> = {
  chmod: { change: (files) => files.changeMode(REFUNDS, 0o640), becomes: 'refunds: one two' },
  touch: {
    change: (files) => files.changeTimes(REFUNDS, { modifiedNs: 1_000_000n }, CONTEXT),
    becomes: 'refunds: one two',
  },
  setfattr: {
    change: (files) => set(files, REFUNDS, 'tags', 'money'),
    becomes: 'refunds: one two',
  },
  mv: { change: (files) => files.rename(REFUNDS, PAYOUTS, CONTEXT), becomes: 'payouts: one two' },
  rm: { change: (files) => files.remove(REFUNDS, CONTEXT), becomes: 'refunds: one two, removed' },
};

for (const [name, { change, becomes }] of Object.entries(CHANGES)) {
  t.test(`${name} keeps what another process wrote a moment before`, async (t) => {
    const { mine, other, before } = interleaved(t);
    write(mine.files, REFUNDS, 'one');
    before((files) => append(files, REFUNDS, ' two'));
    change(mine.files);
    t.equal(first(other), becomes);
  });

  t.test(`${name} does not bring back what another process removed a moment before`, async (t) => {
    const { mine, other, before } = interleaved(t);
    write(mine.files, REFUNDS, 'one');
    before((files) => files.remove(REFUNDS, CONTEXT));
    t.equal(
      codeOf(() => change(mine.files)),
      'ENOENT',
    );
    t.equal(first(other), 'refunds: one, removed');
  });

  t.test(`${name} does not take back the name that another process gave a moment before`, async (t) => {
    const { mine, other, before } = interleaved(t);
    write(mine.files, REFUNDS, 'one');
    before((files) => files.rename(REFUNDS, fact('credits'), CONTEXT));
    t.equal(
      codeOf(() => change(mine.files)),
      'ENOENT',
    );
    t.equal(first(other), 'credits: one');
  });
}

t.test('what waits for review is decided as another process left it a moment before', async (t) => {
  for (const [decide, becomes] of [
    [({ review }: MemoryFiles) => review.accept('refunds', PAYOUTS, CONTEXT), 'payouts: one two'],
    [({ review }: MemoryFiles) => review.accept('refunds', REFUNDS, CONTEXT), 'refunds: one two'],
    [({ review }: MemoryFiles) => review.reject('refunds', CONTEXT), 'refunds: one two, removed'],
  ] as const) {
    const { mine, other, before } = interleaved(t);
    write(mine.files, REFUNDS, 'one');
    set(mine.files, REFUNDS, 'tags', 'needs_review');
    before((files) => append(files, REFUNDS, ' two'));
    decide(mine.files);
    t.equal(first(other), becomes);
  }
});

t.test(
  'a folder that another process has just put something into is neither removed nor replaced',
  async (t) => {
    const { mine, other, before } = interleaved(t);
    const entry = fact('team/rule');
    mine.files.makeFolder(TEAM, 0o700);
    before((files) => write(files, entry, 'one'));
    t.equal(
      codeOf(() => mine.files.removeFolder(TEAM)),
      'ENOTEMPTY',
    );
    t.equal(read(other.files, entry), 'one');
    other.files.remove(entry, CONTEXT);
    mine.files.makeFolder(fact('crew'), 0o700);
    before((files) => write(files, entry, 'two'));
    t.equal(
      codeOf(() => mine.files.rename(fact('crew'), TEAM, CONTEXT)),
      'ENOTEMPTY',
    );
    t.equal(read(other.files, entry), 'two');
  },
);

t.test(
  'nothing is put into a folder that another process has just removed, nor beside its own name',
  async (t) => {
    const { mine, other, before } = interleaved(t);
    write(mine.files, REFUNDS, 'one');
    mine.files.makeFolder(TEAM, 0o700);
    before((files) => files.removeFolder(TEAM));
    t.equal(
      codeOf(() => mine.files.rename(REFUNDS, fact('team/refunds'), CONTEXT)),
      'ENOENT',
    );
    before((files) => files.makeFolder(TEAM, 0o700));
    t.equal(
      codeOf(() => mine.files.rename(REFUNDS, TEAM, CONTEXT)),
      'EISDIR',
    );
    before((files) => files.removeFolder(TEAM));
    t.equal(
      codeOf(() => mine.files.makeFolder(fact('team/a'), 0o700)),
      'ENOENT',
    );
    before((files) => write(files, TEAM, 'a file'));
    t.equal(
      codeOf(() => mine.files.makeFolder(TEAM, 0o700)),
      'EEXIST',
    );
    t.equal(first(other), 'refunds: one');
  },
);

t.test('a folder that another process has just removed or renamed is not renamed', async (t) => {
  for (const act of [
    (files: MemoryFiles) => files.removeFolder(TEAM),
    (files: MemoryFiles) => files.rename(TEAM, fact('staff'), CONTEXT),
  ]) {
    const { mine, other, before } = interleaved(t);
    mine.files.makeFolder(TEAM, 0o700);
    before(act);
    t.equal(
      codeOf(() => mine.files.rename(TEAM, fact('crew'), CONTEXT)),
      'ENOENT',
    );
    t.notOk(names(other.files).includes('crew'));
  }
});

t.test('permissions and times of a folder that another process has just removed are not set', async (t) => {
  const { mine, other, before } = interleaved(t);
  for (const change of [
    () => mine.files.changeMode(TEAM, 0o750),
    () => mine.files.changeTimes(TEAM, { modifiedNs: 1_000_000n }, CONTEXT),
  ]) {
    mine.files.makeFolder(TEAM, 0o700);
    before((files) => files.removeFolder(TEAM));
    t.equal(codeOf(change), 'ENOENT');
    t.same(other.files.list(fact('')), []);
  }
});

t.test(
  'what is written into a folder that another process removes or renames meanwhile is seen',
  async (t) => {
    const rule = fact('team/rule');
    for (const [act, elsewhere] of [
      [(files: MemoryFiles) => files.removeFolder(TEAM), []],
      [(files: MemoryFiles) => files.rename(TEAM, fact('crew'), CONTEXT), ['crew']],
    ] as const) {
      const { mine, other } = interleaved(t);
      mine.files.makeFolder(TEAM, 0o700);
      const file = mine.files.create(rule, NEW_FILE, CONTEXT);
      file.write(Buffer.from('one'), 0, CONTEXT);
      act(other.files);
      file.flush(CONTEXT);
      file.close();
      for (const { files } of [mine, other]) {
        t.same(names(files), [...elsewhere, 'team']);
        t.same(names(files, TEAM), ['rule']);
        t.equal(read(files, rule), 'one');
      }
      const told: readonly string[] = mine.told();
      t.ok(told.includes('memory/fact/team'), 'who was told that it is gone is told that it is there');
    }
  },
);

t.test(
  'so is what somebody had open in a folder that another process removed with all that was in it',
  async (t) => {
    const { mine, other } = interleaved(t);
    const rule = fact('team/rule');
    mine.files.makeFolder(TEAM, 0o700);
    write(mine.files, rule, 'one');
    const file = mine.files.openToWrite(rule, { append: true, truncate: false }, CONTEXT);
    file.write(Buffer.from(' two'), 3, CONTEXT);
    other.files.remove(rule, CONTEXT);
    other.files.removeFolder(TEAM);
    file.flush(CONTEXT);
    file.close();
    t.same(names(other.files, TEAM), ['rule.conflict-s-mine']);
  },
);

t.test('a new file is kept beside a folder that another process made of its name', async (t) => {
  for (const text of ['one', '']) {
    const { mine, other } = interleaved(t);
    const file = mine.files.create(TEAM, NEW_FILE, CONTEXT);
    if (text !== '') file.write(Buffer.from(text), 0, CONTEXT);
    other.files.makeFolder(TEAM, 0o700);
    file.flush(CONTEXT);
    file.close();
    t.same(names(other.files), ['team', 'team.conflict-s-mine']);
    t.equal(other.files.stat(TEAM).kind, 'directory');
    t.equal(read(other.files, fact('team.conflict-s-mine')), text);
  }
});

t.test('who writes where another process made a file of the folder is told', async (t) => {
  const { mine, other } = interleaved(t);
  mine.files.makeFolder(TEAM, 0o700);
  const file = mine.files.create(fact('team/rule'), NEW_FILE, CONTEXT);
  file.write(Buffer.from('one'), 0, CONTEXT);
  other.files.removeFolder(TEAM);
  write(other.files, TEAM, 'a file');
  t.equal(
    codeOf(() => file.flush(CONTEXT)),
    'ENOTDIR',
  );
  other.files.remove(TEAM, CONTEXT);
  file.flush(CONTEXT);
  file.close();
  t.equal(read(other.files, fact('team/rule')), 'one', 'and can try again');
});
