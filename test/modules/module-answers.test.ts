import t from 'tap';
import type { SubPath } from '../../src/core/paths.ts';
import { ModuleAnswers } from '../../src/modules/module-answers.ts';
import type { SeenPlace } from '../../src/modules/wire.ts';

const NAME = 'a.md' as SubPath;

/** Answers of a module that answers when it is told to, in the order of the questions. */
function lateAnswers() {
  const waiting: ((seen: SeenPlace) => void)[] = [];
  const ask = () => new Promise<SeenPlace>((resolve) => void waiting.push(resolve));
  const answers = new ModuleAnswers('late', { ask }, () => {});
  const answer = (version: string) =>
    waiting.shift()?.({
      kind: 'file',
      version,
      bytes: Buffer.from(version),
      sizeBytes: version.length,
      modifiedMs: undefined,
      isWritable: false,
    });
  return { answers, answer, asked: () => waiting.length };
}

t.test('what changed while it was asked for is asked for again', async (t) => {
  const { answers, answer, asked } = lateAnswers();
  const first = answers.place(NAME);
  answers.forget(NAME);
  const second = answers.place(NAME);
  t.equal(asked(), 2, 'who asks after the change has a question of its own');
  answer('old');
  t.match(await first, { version: 'old' });
  const third = answers.place(NAME);
  t.equal(asked(), 1, 'and whoever asks with it waits for the same answer');
  answer('new');
  t.match(await second, { version: 'new' });
  t.match(await third, { version: 'new' });
  t.match(await answers.content(NAME), { version: 'new' }, 'which is kept');
});

t.test('what was asked for before a change is not kept when it comes last', async (t) => {
  const { answers, answer } = lateAnswers();
  const first = answers.place(NAME);
  answers.forget('');
  answer('old');
  await first;
  const second = answers.place(NAME);
  answer('new');
  t.match(await second, { version: 'new' });
});

t.test('a change of one path leaves the answers about others', async (t) => {
  const { answers, answer, asked } = lateAnswers();
  const first = answers.place(NAME);
  answers.forget('a');
  const second = answers.place(NAME);
  t.equal(asked(), 1);
  answer('text');
  t.match(await first, { version: 'text' });
  t.match(await second, { version: 'text' });
  t.match(answers.place(NAME), { version: 'text' }, 'it is kept');
  t.equal(asked(), 0);
});
