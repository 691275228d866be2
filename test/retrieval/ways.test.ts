import t from 'tap';
import { searched } from './searched.ts';

const PAGES = {
  'orders.md': '# Orders\n\n- An **Order** generates a **Parcel** when it is paid.\n',
  'packing.md': '# In the warehouse\n\n- A **Parcel** triggers `parcel.sent` at the gate.\n',
  'events.md': '# Events\n\n`parcel.sent` is told to whom it concerns.\n',
  'notes.md': '# Notes\n\nAn order is an order, sent by whoever sends an order, and sent again.\n',
};

t.test(
  'what is stated on the way between two things that a question names is found, with its line',
  async (t) => {
    const { ask } = await searched(t, PAGES);
    const { hits } = await ask('How does an Order lead to parcel.sent?', { scope: '/docs' });
    const step = hits.find(({ path }) => path === '/docs/packing.md');
    t.match(step?.hops, [
      { from: 'Parcel', edgeType: 'triggers', to: 'parcel.sent', evidence: 'packing.md:3' },
    ]);
    t.ok(step?.retrievers.graph !== undefined, 'the graph brought it');
  },
);

t.test('without the graph there are no ways', async (t) => {
  const { ask } = await searched(t, PAGES, { graph: false });
  const { hits } = await ask('How does an Order lead to parcel.sent?', { scope: '/docs' });
  t.ok(hits.every(({ hops }) => hops.length === 0));
});

t.test('a question that names one thing has no way', async (t) => {
  const { ask } = await searched(t, PAGES);
  const { hits } = await ask('What is a Parcel?', { scope: '/docs' });
  t.ok(hits.every(({ hops }) => hops.length === 0));
});
