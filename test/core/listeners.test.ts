import t from 'tap';
import { Listeners } from '../../src/core/listeners.ts';

t.test('each is told once, in their order, until it ends', async (t) => {
  const listeners = new Listeners<[what: string]>();
  const told: string[] = [];
  const first = (what: string) => told.push(`first ${what}`);
  const end = listeners.add(first);
  listeners.add((what) => told.push(`second ${what}`));
  const endAgain = listeners.add(first);
  listeners.tell('a');
  t.same(told.splice(0), ['first a', 'second a']);
  end();
  endAgain();
  listeners.tell('b');
  t.same(told.splice(0), ['second b']);
  listeners.clear();
  listeners.tell('c');
  t.same(told, []);
});

t.test('one that ends itself, or another, while all are told', async (t) => {
  const listeners = new Listeners();
  const told: string[] = [];
  const end = listeners.add(() => {
    told.push('first');
    end();
    endOfSecond();
  });
  const endOfSecond = listeners.add(() => told.push('second'));
  listeners.add(() => told.push('third'));
  listeners.tell();
  t.same(told, ['first', 'third']);
});
