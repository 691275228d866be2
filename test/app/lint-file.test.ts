import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { LintFile } from '../../src/app/lint-file.ts';
import { systemClock } from '../../src/core/clock.ts';
import { UserError } from '../../src/core/errors.ts';

const POLL_MS = 5;

async function textOf(file: LintFile): Promise<string> {
  const { text } = file.shown();
  return String(typeof text === 'string' ? text : await text());
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(POLL_MS);
}

t.test(
  'the text is made when it is looked at, and one at a time however often the docs change',
  async (t) => {
    const answers: ((text: string) => void)[] = [];
    let told = 0;
    const file = new LintFile(
      () => new Promise((resolve) => answers.push(resolve)),
      systemClock,
      () => {
        told += 1;
      },
    );
    t.teardown(() => file.close());
    file.changed();
    t.equal(answers.length, 0, 'nobody has looked');
    const { version } = file.shown();
    const text = textOf(file);
    answers[0]?.('one\n');
    t.equal(await text, 'one\n');
    file.changed();
    await until(() => answers.length === 2);
    file.changed();
    t.equal(await textOf(file), 'one\n', 'the old one meanwhile');
    t.equal(file.shown().version, version);
    answers[1]?.('two\n');
    await until(() => told === 1);
    t.equal(await textOf(file), 'two\n');
    t.not(file.shown().version, version);
    await until(() => answers.length === 3);
    answers[2]?.('two\n');
    await delay(POLL_MS);
    t.equal(told, 1, 'the same is not told');
  },
);

t.test('a text that could not be made is made again for who asks next', async (t) => {
  let asked = 0;
  const file = new LintFile(
    async () => {
      asked += 1;
      if (asked === 1) throw new Error('a disk did not answer');
      return 'one\n';
    },
    systemClock,
    () => {},
  );
  t.teardown(() => file.close());
  await t.rejects(textOf(file), { message: 'a disk did not answer' });
  t.equal(await textOf(file), 'one\n', 'nothing changed');
  t.equal(await textOf(file), 'one\n');
  t.equal(asked, 2, 'it is kept');
});

t.test('while the docs are away it shows what was found before', async (t) => {
  const away = new UserError('the docs folder does not exist');
  const outcomes: (string | Error)[] = ['one\n', away, 'two\n', away, 'three\n'];
  let [made, told] = [0, 0];
  const file = new LintFile(
    async () => {
      const outcome = outcomes[made];
      made += 1;
      if (typeof outcome === 'string') return outcome;
      throw outcome;
    },
    systemClock,
    () => {
      told += 1;
    },
  );
  t.teardown(() => file.close());
  t.equal(await textOf(file), 'one\n');
  const { version } = file.shown();
  file.changed();
  await until(() => made === 2);
  await delay(POLL_MS);
  t.equal(await textOf(file), 'one\n');
  t.same([file.shown().version, told], [version, 0]);
  file.changed();
  await until(() => told === 1);
  t.equal(await textOf(file), 'two\n', 'once they are back');
  file.changed();
  await until(() => made === 4);
  await delay(POLL_MS);
  t.equal(await textOf(file), 'two\n');
  await until(() => told === 2);
  t.equal(await textOf(file), 'three\n', 'a look tries again, without another change');
});
