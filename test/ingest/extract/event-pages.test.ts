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

t.test('a page in a folder of events is the event, which has one name wherever it is named', async (t) => {
  const { nodes, edges } = assemble({
    'events/MugFired/index.md':
      '---\nid: mug-fired\nname: Mug Fired\n---\n\n`MugFired` tells whoever waits that a mug is done.\n',
    'events/mug-cracked.md': '# MugCracked\n\nNobody likes this one.\n',
    'events/out-of-clay.md':
      '---\ndescription: Published when the last clay is gone.\n---\n\n# Out Of Clay\n',
    'services/kiln.md': '# Kiln\n\nThe kiln publishes a `mug-fired` event. See `MugCracked`.\n',
  });
  t.same(nodes('Event'), ['Mug Fired', 'MugCracked', 'Out Of Clay']);
  for (const name of ['MugFired', 'Mug Fired', 'MugCracked', 'Out Of Clay'])
    t.notOk(nodes('Concept').includes(name), name);
  t.same(
    edges('contains').filter((edge) => edge.includes('Mug Fired')),
    ['Mug Fired -contains-> Mug Fired'],
  );
});

t.test('front matter may say that a page is an event', async (t) => {
  const { nodes } = assemble({
    'a.md': '---\ntitle: Glaze Spilled\ntype: domain-event\n---\n\nAll over the floor.\n',
    'b.md': '---\ntitle: Glaze Spilt\ntype: note\n---\n\nAll over the floor.\n',
  });
  t.same(nodes('Event'), ['Glaze Spilled']);
});

t.test('a guide in a folder of events is none, nor is a conference', async (t) => {
  const { nodes } = assemble({
    'events/start.md': '# Getting started\n\nAn event is a message.\n',
    'events/handlers.md': '# Event Handlers\n\nA handler is called with the event.\n',
    'events/feed.md': '# Kiln Feed\n\nAll of it in one place.\n',
    'events/patterns.md': '# Event Patterns Explained\n\nWhich ones there are.\n',
    'events/v1.md': '# Kiln Events Deprecated\n\nUse others.\n',
    'webhooks/intro.md': '---\ntitle: Webhooks Simplified\ncategory: webhooks\n---\n\nWhat they are.\n',
    'events/MugShelf.md': '# MugShelf\n\nA shelf that listens.\n',
    'api-reference/events/cancel-fired.md':
      '---\ntitle: Cancel fired event\n---\n\nTakes a mug out of the kiln.\n',
    'talks.md': '---\ntitle: Clay Conf Berlin\ntype: event\n---\n\nTwo days of clay.\n',
  });
  t.same(nodes('Event'), []);
});

t.test('a page of a calendar is no event, whatever its title says', async (t) => {
  const { nodes } = assemble({
    'events/clay-night.md':
      '---\ntitle: Clay Night Cancelled\nlocation: Berlin\nstart_date: 2031-03-01\n---\n\nSee you next year.\n',
    'events/glaze-talk.md': '---\ntitle: Glaze Talk Moved\nspeakers: [Ada]\n---\n\nIt is in June.\n',
    'events/mug-moved.md': '---\ntitle: Mug Moved\nversion: 1.0.0\n---\n\nTo another shelf.\n',
  });
  t.same(nodes('Event'), ['Mug Moved']);
});

t.test('an identifier is the name of an event, whatever place or date its page tells', async (t) => {
  const { nodes } = assemble({
    'events/MugFired.md': '---\nname: MugFired\ncountry: DE\nstart_date: 2031-03-01\n---\n\nIt is hot.\n',
    'events/mug-placed.md': '---\ntitle: mug-placed\nlocation: eu-1\n---\n\nIt is gone.\n',
  });
  t.same(nodes('Event'), ['MugFired', 'mug-placed']);
});
