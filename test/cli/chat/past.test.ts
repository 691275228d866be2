import { join } from 'node:path';
import t from 'tap';
import { pastConversation } from '../../../src/cli/chat/past.ts';
import { openContextStore } from '../../../src/store/context-store.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const CHAT = 'chat-20260105T100000-7f3a';
const START_MS = Date.UTC(2026, 0, 5, 10);

t.test('a conversation during which the clock was put back is gone on with to its end', async (t) => {
  const store = openContextStore(join(temporaryFolder(t), 'context.sqlite'));
  t.teardown(() => store.close());
  const enter = (type: string, afterMs: number, data: object, session = 's1') => {
    const timeMs = START_MS + afterMs;
    const timestamp = new Date(timeMs).toISOString();
    const entry = { timestamp, event_type: type, actor: 'ana', data, session_id: session };
    const line = `${JSON.stringify(entry)}\n`;
    store.history.append({ timeMs, type, actor: 'ana', session, path: undefined, line }, timeMs);
  };
  store.transact(() => {
    enter('question', 0, { conversation: CHAT, turn: 1, question: 'How long?', pid: 7 });
    enter('answer', -3_600_000, { conversation: CHAT, turn: 1, end: 'answered', answer: '48 hours', pid: 7 });
    enter('question', -3_500_000, { conversation: CHAT, turn: 2, question: 'Sure?', pid: 8 }, 's2');
    enter(
      'answer',
      -3_400_000,
      { conversation: CHAT, turn: 2, end: 'answered', answer: 'Yes', pid: 8 },
      's2',
    );
    enter('question', -7_000_000, { conversation: CHAT, turn: 3, question: 'Since when?', pid: 7 });
    enter('answer', -6_900_000, { conversation: CHAT, turn: 3, end: 'answered', answer: 'May', pid: 7 });
  });
  t.same(pastConversation('last', store.history), {
    id: CHAT,
    earlier: {
      turns: [
        { question: 'How long?', answer: '48 hours' },
        { question: 'Sure?', answer: 'Yes' },
        { question: 'Since when?', answer: 'May' },
      ],
      lastTurn: 3,
    },
  });
});
