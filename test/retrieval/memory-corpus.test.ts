import { join } from 'node:path';
import t from 'tap';
import { MemorySearchIndex } from '../../src/memory/search-index.ts';
import { MemoryCorpus } from '../../src/retrieval/memory-corpus.ts';
import { openSearchStore } from '../../src/store/search-store.ts';
import { CONTEXT, fact, remembering, write } from '../memory/fixture.ts';
import { interruptedTables } from '../memory/interrupted.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('what another process changes while memory is taken in is found by the next question', async (t) => {
  const other = remembering(t);
  const { tables, before } = interruptedTables(t, other.file);
  const search = openSearchStore(join(temporaryFolder(t), 'memory-search.sqlite'));
  t.teardown(() => search.close());
  const index = new MemorySearchIndex({ tables, search, clock: other.clock });
  const corpus = new MemoryCorpus(search, index);
  /** What passages with a term say, by the numbers that they have now. */
  const found = (term: string) => corpus.read([...corpus.holding(term)]).map(({ bodyBag }) => bodyBag);
  const ask = () => {
    corpus.revision();
    return [...found('old'), ...found('new'), ...found('young')];
  };
  let statement = 0;
  let isInterrupted = true;
  while (isInterrupted) {
    statement += 1;
    write(other.files, fact('last'), `old ${statement}`);
    isInterrupted = before(statement, change, ask);
    t.same(ask(), isInterrupted ? [`new ${statement}`, `young ${statement}`] : [`old ${statement}`]);
    if (isInterrupted) other.files.remove(fact('first'), CONTEXT);
  }
  t.ok(statement > 3, 'it is taken in by several statements');

  /** The passage that is no more gives its number to another one. */
  function change() {
    other.files.remove(fact('last'), CONTEXT);
    write(other.files, fact('first'), `new ${statement}`);
    write(other.files, fact('last'), `young ${statement}`);
  }
});

t.test(
  'others are served while much of memory is taken in, and a revision is made of a part at most',
  async (t) => {
    const { store, clock, files } = remembering(t);
    for (let count = 0; count < 300; count += 1) write(files, fact(`n${count}`), 'old');
    const search = openSearchStore(join(temporaryFolder(t), 'memory-search.sqlite'));
    t.teardown(() => search.close());
    const index = new MemorySearchIndex({ tables: store.memory, search, clock });
    const corpus = new MemoryCorpus(search, {
      catchUp: () => index.catchUp(50),
      takenIn: () => index.takenIn(),
      isRemembered: (place) => index.isRemembered(place),
      superseded: () => index.superseded(),
      content: (place) => index.content(place),
    });
    corpus.revision();
    t.equal([...corpus.holding('old')].length, 50);
    let isServed = false;
    setImmediate(() => {
      isServed = true;
    });
    await corpus.settle();
    t.ok(isServed);
    corpus.revision();
    t.equal([...corpus.holding('old')].length, 300);
    t.equal(corpus.settle(), undefined);
  },
);

t.test('a source that was asked for before is the one that it is now', (t) => {
  const { store, clock, files } = remembering(t);
  write(files, fact('one'), 'old');
  const search = openSearchStore(join(temporaryFolder(t), 'memory-search.sqlite'));
  t.teardown(() => search.close());
  const corpus = new MemoryCorpus(search, new MemorySearchIndex({ tables: store.memory, search, clock }));
  const dateMs = () => {
    corpus.revision();
    return corpus.source(corpus.sourceAt('/context/memory/fact/one')?.id ?? 0)?.dateMs;
  };
  t.equal(dateMs(), clock.nowMs());
  clock.advance(5000);
  write(files, fact('one'), 'new');
  t.equal(dateMs(), clock.nowMs());
  files.remove(fact('one'), CONTEXT);
  t.equal(dateMs(), undefined);
  t.end();
});
