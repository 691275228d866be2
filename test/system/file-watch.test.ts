import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import { FileWatch } from '../../src/system/file-watch.ts';
import { commitElsewhere } from '../support/other-process.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { within } from '../support/within.ts';

/** Against what hangs. */
const LIMIT_MS = 60_000;

function subject(t: Teardown) {
  const folder = temporaryFolder(t);
  let told = 0;
  let tell = (): void => {};
  const watch = new FileWatch(() => {
    told += 1;
    tell();
  });
  t.teardown(() => watch.close());
  return {
    folder,
    at: (name: string) => join(folder, name),
    watch,
    told: () => told,
    /** Has a change be made, and waits until it is told. */
    async tells(files: readonly string[], change: () => void): Promise<void> {
      const next = new Promise<void>((resolve) => {
        tell = resolve;
      });
      await watch.next(files);
      change();
      await within(LIMIT_MS, next);
    },
  };
}

t.test('a file that comes, is written to, replaced or removed is told', async (t) => {
  const { at, tells, told } = subject(t);
  const files = [at('map.yaml'), at('other.yaml')];
  await tells(files, () => writeFileSync(at('map.yaml'), 'one'));
  await tells(files, () => appendFileSync(at('map.yaml'), 'two'));
  writeFileSync(at('new'), 'three');
  await tells(files, () => renameSync(at('new'), at('map.yaml')));
  await tells(files, () => rmSync(at('map.yaml')));
  await tells(files, () => writeFileSync(at('other.yaml'), 'one'));
  t.equal(told(), 5);
});

t.test('it is told once, until it is asked anew', async (t) => {
  const { at, tells, told } = subject(t);
  await tells([at('a')], () => {
    for (let index = 0; index < 100; index += 1) appendFileSync(at('a'), 'x');
  });
  await tells([at('b')], () => {
    appendFileSync(at('a'), 'x');
    appendFileSync(at('b'), 'x');
  });
  t.equal(told(), 2);
});

t.test('what happens to other files of a folder is nobody’s business', async (t) => {
  const { at, tells, told } = subject(t);
  await tells([at('a')], () => {
    writeFileSync(at('b'), 'x');
    rmSync(at('b'));
    // Told after those, so that these would have been told before.
    writeFileSync(at('a'), 'x');
  });
  t.equal(told(), 1);
});

t.test('where others change all the time, that is told once, and wakes nobody up any more', async (t) => {
  const { at, tells, told } = subject(t);
  await tells([at('map.yaml')], () => {
    for (let index = 0; index < 100; index += 1) {
      writeFileSync(at('server.log'), 'x');
      rmSync(at('server.log'));
    }
  });
  await tells([at('map.yaml')], () => writeFileSync(at('map.yaml'), 'x'));
  t.equal(told(), 2);
});

t.test('each commit of another process to a database is told, whoever else has it open', async (t) => {
  const { at, tells } = subject(t);
  const file = at('index.sqlite');
  const files = [file, `${file}-wal`];
  await tells(files, () => commitElsewhere(file, 'the first, which makes it'));
  const database = new Sqlite(file);
  t.teardown(() => database.close());
  const version = () => database.pragma('data_version', { simple: true });
  for (const text of ['into a log that is made', 'into one that is there', 'and once more']) {
    const before = version();
    await tells(files, () => commitElsewhere(file, text));
    t.not(version(), before, text);
  }
  await tells(files, () => database.pragma('wal_checkpoint(TRUNCATE)'));
});

t.test('a folder that is moved is told, and one that is missing cannot be watched', async (t) => {
  const { at, tells, watch } = subject(t);
  mkdirSync(at('state'));
  const file = join(at('state'), 'a');
  await tells([file], () => renameSync(at('state'), at('moved')));
  t.equal(await watch.next([file]), false);
  t.equal(await watch.next([file, at('b')]), false, 'not all');
  mkdirSync(at('state'));
  t.equal(await watch.next([file]), true);
});

/** A descriptor that is open until the test ends: the next one has another number. */
function openedUntilEnd(t: Teardown): number {
  const descriptor = openSync('/', 'r');
  t.teardown(() => closeSync(descriptor));
  return descriptor;
}

t.test('a folder that is moved is told to each who watches it', async (t) => {
  const { at, tells } = subject(t);
  mkdirSync(at('state'));
  const other = new FileWatch(() => {});
  t.teardown(() => other.close());
  t.equal(await other.next([join(at('state'), 'b')]), true);
  openedUntilEnd(t);
  await tells([join(at('state'), 'a')], () => renameSync(at('state'), at('moved')));
  t.pass('also to who came second');
});

t.test('one that is closed while it begins to watch tells nothing, and can begin anew', async (t) => {
  const { at, watch, told, tells } = subject(t);
  const other = subject(t);
  const begun = watch.next([at('a')]);
  watch.close();
  await begun;
  await other.tells([other.at('end')], () => {
    writeFileSync(at('a'), 'x');
    // Told after that, so that it would have been told before.
    writeFileSync(other.at('end'), '');
  });
  t.equal(told(), 0);
  await tells([at('a')], () => appendFileSync(at('a'), 'y'));
  t.equal(told(), 1);
});

t.test('a file whose name is a number is none that is watched', async (t) => {
  const { folder, at, watch, told } = subject(t);
  const other = subject(t);
  const before = openedUntilEnd(t);
  await watch.next([at('a')]);
  await other.tells([at('end')], () => {
    for (const number of [before + 1, before + 2, before + 3]) mkdirSync(join(folder, String(number)));
    // Told after those, so that these would have been told before.
    writeFileSync(at('end'), '');
  });
  t.equal(told(), 0);
});

t.test(
  'files that are no longer asked for tell nothing, and those that are asked for again are watched',
  async (t) => {
    const { at, watch, told, tells } = subject(t);
    const other = subject(t);
    await watch.next([at('a')]);
    t.equal(await watch.next([at('a')]), true);
    await watch.next([at('b')]);
    await other.tells([other.at('end')], () => {
      writeFileSync(at('a'), 'x');
      // Told after that, so that it would have been told before.
      writeFileSync(other.at('end'), '');
    });
    t.equal(told(), 0);
    await tells([at('b')], () => writeFileSync(at('b'), 'x'));
    t.equal(told(), 1);
  },
);

t.test('once it is closed it tells nothing', async (t) => {
  const { at, watch, told } = subject(t);
  const other = subject(t);
  await watch.next([at('a')]);
  watch.close();
  await other.tells([other.at('end')], () => {
    writeFileSync(at('a'), 'x');
    // Told after that, so that it would have been told before.
    writeFileSync(other.at('end'), '');
  });
  t.equal(told(), 0);
});
