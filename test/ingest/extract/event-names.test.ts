import t from 'tap';
import { bareEventName, eventShape, ownersInName } from '../../../src/ingest/extract/event-names.ts';
import { assembleText } from '../assembled.ts';

t.test('the shape of a name tells how much its context has to say', async (t) => {
  t.equal(eventShape('charge.succeeded'), 'past');
  t.equal(eventShape('parcels.shipment.dispatched.v1'), 'dotted');
  t.equal(eventShape('editor:pageLoaded'), 'dotted');
  t.equal(eventShape('CHANNEL_CREATE'), 'identifier');
  t.equal(eventShape('push'), 'word');
  t.equal(eventShape('Guild Create'), 'phrase');
});

t.test('files, hosts, fields, patterns and calls have none', async (t) => {
  for (const name of [
    'app.config.ts',
    'api.example.com',
    'user_id',
    'invoice.*',
    'a.b()',
    'http://x',
    'v1.2.3',
    'GUILD_',
    'the event',
    'x'.repeat(200),
  ]) {
    t.equal(eventShape(name), undefined, name);
  }
});

t.test('words for "event" behind a name are cut off', async (t) => {
  t.equal(bareEventName('Guild Create Gateway event'), 'Guild Create');
  t.equal(bareEventName('charge.paid'), 'charge.paid');
});

t.test('a name names its owners, the closest first', async (t) => {
  t.same(ownersInName('customer.subscription.deleted'), ['subscription', 'customer']);
  t.same(ownersInName('subscriptions.create.resolved'), ['subscriptions']);
  t.same(ownersInName('Guild Role Create'), ['guild role']);
  t.same(ownersInName('OrderPlaced'), ['order']);
  t.same(ownersInName('Ready'), []);
});

t.test('a handler and the heading of its event name one event', (t) => {
  const { nodes } = assembleText(
    '# Lifecycle events\n\n### On Drop\n\nTriggered when a tray falls.\n\nIt triggers the `onDrop` event.\n',
  );
  t.equal(nodes('Event').length, 1);
  t.end();
});

t.test('a type in reverse-domain notation may end with a version, and its domain owns no event', (t) => {
  t.equal(eventShape('dev.kilnworks.mug.created.0.3.0'), 'past');
  t.equal(eventShape('dev.kilnworks.mug.glazed.1'), 'dotted');
  t.equal(eventShape('kiln.mug.1.2'), undefined);
  t.equal(eventShape('dev.kilnworks.mug.size.0.3.0'), undefined);
  t.same(ownersInName('dev.kilnworks.mug.fired.0.3.0'), ['mug']);
  t.same(ownersInName('com.kilnworks.mug.fired'), ['mug']);
  t.same(ownersInName('org.member.added'), ['member', 'org']);
  t.same(ownersInName('org.member.added.0.3.0'), ['member', 'org'], 'a version is no part');
  t.same(ownersInName('app.potter.added.v1'), ['potter', 'app']);
  t.same(ownersInName('app.shelf.mug.added'), ['mug', 'shelf', 'app'], 'an app is a thing as well');
  t.same(ownersInName('ai.kilnworks.oven.mug.added'), ['mug', 'oven']);
  t.equal(eventShape('dev.kilnworks.feed.0.3.0'), undefined, 'a feed is no participle');
  t.end();
});
