import t from 'tap';
import { fileInfo } from '../../src/core/node-info.ts';
import { MAX_FILE_BYTES } from '../../src/modules/seen-place.ts';
import { WrittenFile } from '../../src/modules/written-file.ts';

t.test('a file of a module that is appended to can be written to in place', async (t) => {
  const committed: string[] = [];
  const file = new WrittenFile(
    Buffer.from('content'),
    true,
    (sizeBytes) => fileInfo(sizeBytes, 1n),
    async (content) => {
      committed.push(Buffer.from(content).toString());
    },
  );
  file.write(Buffer.from('C'), 0, {}, 'mapped');
  file.write(Buffer.from('!'), 0);
  await file.flush();
  t.same(committed, ['Content!']);
});

t.test('one that is not appended to can be written to at its end', async (t) => {
  const file = opened('content');
  file.write(Buffer.from('!'), 0, {}, 'at the end');
  t.equal(textOf(file), 'content!');
});

/** A file that is handed over as `commit` takes it. */
function opened(text: string, commit: (content: string) => Promise<void> = async () => {}): WrittenFile {
  return new WrittenFile(
    Buffer.from(text),
    false,
    (sizeBytes) => fileInfo(sizeBytes, 1n),
    (content) => commit(Buffer.from(content).toString()),
  );
}

function textOf(file: WrittenFile, position = 0, sizeBytes = 100): string {
  const target = Buffer.alloc(sizeBytes);
  return target.toString('utf8', 0, file.read(target, position));
}

t.test('it is handed over once for what was written, and not for being emptied alone', async (t) => {
  const committed: string[] = [];
  const file = opened('content', async (content) => void committed.push(content));
  await file.flush();
  t.same(committed, [], 'nothing was written');
  file.empty();
  await file.flush();
  t.same(committed, [], 'what is to be written may follow');
  t.equal(file.stat().sizeBytes, 0);
  file.write(Buffer.from('new'), 2);
  t.equal(textOf(file), '\0\0new');
  t.equal(textOf(file, 3, 1), 'e');
  t.equal(textOf(file, 9), '');
  for (let times = 0; times < 2; times += 1) await file.flush();
  t.same(committed, ['\0\0new']);
  file.truncate(3);
  await file.sync();
  t.same(committed, ['\0\0new', '\0\0n']);
});

t.test('who closes it waits for the module, and is told what it says', async (t) => {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const slow = opened('', () => ended);
  slow.write(Buffer.from('x'), 0);
  let isDone = false;
  const flushed = slow.flush().then(() => {
    isDone = true;
  });
  for (let turns = 0; turns < 20; turns += 1) await undefined;
  t.equal(isDone, false);
  end();
  await flushed;
  const refused = opened('', () => Promise.reject(new Error('no such table')));
  refused.write(Buffer.from('x'), 0);
  await t.rejects(refused.flush(), { message: 'no such table' });
});

t.test('what a module refused, or did not answer yet, nobody is told is written', async (t) => {
  const answers: { resolve(): void; reject(error: Error): void }[] = [];
  const file = opened('', () => new Promise((resolve, reject) => answers.push({ resolve, reject })));
  file.write(Buffer.from('x'), 0);
  const told: string[] = [];
  const first = file.sync().catch(() => void told.push('fsync'));
  const second = file.flush().catch(() => void told.push('close'));
  t.equal(answers.length, 1, 'it is asked once');
  for (let turns = 0; turns < 20; turns += 1) await undefined;
  t.same(told, []);
  answers[0]?.reject(new Error('no such table'));
  await Promise.all([first, second]);
  t.same(told, ['fsync', 'close']);
  await t.rejects(file.flush(), { message: 'no such table' }, 'at each close(2)');
  t.equal(answers.length, 1);
  const again = file.sync();
  t.equal(answers.length, 2, 'fsync(2) asks once more');
  answers[1]?.resolve();
  await again;
  await file.sync();
  await file.flush();
  t.equal(answers.length, 2);
});

t.test('what is too large for a module is refused, and all stays as it was', async (t) => {
  const file = opened('content');
  for (const grow of [
    () => file.write(Buffer.from('xx'), MAX_FILE_BYTES - 1),
    () => file.truncate(MAX_FILE_BYTES + 1),
  ])
    t.throws(grow, { code: 'EFBIG' });
  t.equal(textOf(file), 'content');
  file.truncate(MAX_FILE_BYTES);
  t.equal(file.sizeBytes, MAX_FILE_BYTES);
});
