import t from 'tap';
import { parsePath } from '../../src/core/paths.ts';
import { unkeptHistory } from '../../src/history/unkept.ts';
import { handClock, SESSION } from './fixture.ts';

t.test('a history that keeps nothing takes all that one is told', (t) => {
  const clock = handClock();
  const history = unkeptHistory({ clock, actor: 'me', session: SESSION, isSession: () => true });
  t.doesNotThrow(() => {
    for (let time = 0; time < 1000; time += 1) {
      history.record({ type: 'read', path: parsePath(`/docs/${time}.md`), context: {} });
      clock.advance(time % 400);
    }
    history.record({ type: 'mount', data: { pid: 1 }, context: {} });
    history.refresh();
    history.flush();
    history.close();
  });
  t.end();
});
