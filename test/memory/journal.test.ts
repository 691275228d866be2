import t from 'tap';
import { openContextStore } from '../../src/store/context-store.ts';
import type { Teardown } from '../support/temporary.ts';
import { fact, type Remembering, remembering, write } from './fixture.ts';
import { type InterruptedTables, interruptedTables } from './interrupted.ts';

/** One process's memory, whose looks another process comes between. */
function interrupted(t: Teardown, file: string): Remembering & Pick<InterruptedTables, 'before'> {
  const { tables, before } = interruptedTables(t, file);
  const store = openContextStore(file);
  t.teardown(() => store.close());
  return { ...remembering(t, { store: { ...store, memory: tables } }, file), before };
}

t.test('what another process changes between any two statements of a look is told', async (t) => {
  const other = remembering(t);
  const mine = interrupted(t, other.file);
  let statement = 0;
  let isInterrupted = true;
  while (isInterrupted) {
    statement += 1;
    write(other.files, fact(`before-${statement}`), 'alpha');
    const act = () => write(other.files, fact(`during-${statement}`), 'alpha');
    isInterrupted = mine.before(statement, act, () => mine.memory.refresh());
    mine.memory.refresh();
    const during = isInterrupted ? [`memory/fact/during-${statement}`] : [];
    t.same(new Set(mine.told()), new Set([`memory/fact/before-${statement}`, ...during]));
  }
  t.ok(statement > 3, 'a look is several statements');
});

t.test('what others forget between any two statements of a look is told all the same', async (t) => {
  let statement = 0;
  let isInterrupted = true;
  while (isInterrupted) {
    statement += 1;
    const other = remembering(t);
    const mine = interrupted(t, other.file);
    write(other.files, fact('old'), 'alpha');
    const { changes } = other.store.memory;
    const act = () =>
      other.store.transact(() => {
        for (let number = 0; number < 12_000; number += 1) changes.add('fact/new', 'other');
      });
    isInterrupted = mine.before(statement, act, () => mine.memory.refresh());
    const told = new Set<string>(mine.told());
    t.ok(told.has('memory/fact/old') || told.has('memory'), `before statement ${statement}`);
  }
});
