import { join } from 'node:path';
import t from 'tap';
import { memoryTexts } from '../../src/app/vectors/memory-texts.ts';
import { fact, remembering, write } from '../memory/fixture.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** More than search takes in at a time. */
const TURNS = 450;

t.test('who looks for texts from the first one on is given all of memory', async (t) => {
  const { files, file } = remembering(t, { limits: { maxEntryBytes: 100_000, keepTemporaryMs: 1000 } });
  const turns = Array.from(
    { length: TURNS },
    (_, index) => `${index % 2 === 0 ? 'Ana' : 'Ben'}: It is ${index}.`,
  );
  write(files, fact('talk'), turns.join('\n'));
  const texts = memoryTexts({
    contextFile: file,
    memorySearchFile: join(temporaryFolder(t), 'memory-search.sqlite'),
  });
  t.teardown(() => texts.close());
  t.equal(texts.passagesAfter(0, 10 * TURNS).length, TURNS);
});
