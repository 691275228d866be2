import t from 'tap';
import { assemble } from '../assembled.ts';

const EVENTS = {
  'webhooks/disconnect.md':
    '---\ntitle: Disconnect\n---\n\nThe Disconnect event is fired when a call ends.\n\n## Request parameters\n\n| Property | Description |\n|---|---|\n| `callId` | Whose end it is |\n| `cause` | Why it ended |\n',
  'webhooks/created.md':
    '# Conference Created\n\nThe Conference Created event is sent whenever a new conference that has a URL is created.\n',
  'webhooks/all.md': '# Webhooks\n\n## Transfer\n\nThe Transfer event is sent when a call is passed on.\n',
  'objects.md':
    '## Core objects\n\n- **Call** — two who talk\n- **Conference** — several who talk\n- **Bridge** — what joins two\n',
};

t.test(
  'a page or a heading whose text says that it is sent is an event, and no concept beside it',
  async (t) => {
    const { nodes, edges } = assemble(EVENTS);
    t.same(nodes('Event'), ['Conference Created', 'Disconnect', 'Transfer']);
    for (const name of nodes('Event')) t.notOk(nodes('Concept').includes(name), name);
    t.same(edges('triggers'), [
      'Call -triggers-> Disconnect',
      'Call -triggers-> Transfer',
      'Conference -triggers-> Conference Created',
    ]);
  },
);
