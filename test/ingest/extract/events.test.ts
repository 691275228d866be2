import t from 'tap';
import { assemble, assembleText } from '../assembled.ts';

function events(text: string): string[] {
  return assembleText(text).nodes('Event');
}

t.test('words beside a name say that it is an event', async (t) => {
  t.same(events('On success, triggers the `charge.succeeded` **Webhook** event.'), ['charge.succeeded']);
  t.same(events('Fires a [Guild Create](/events#guild-create) Gateway event.'), ['Guild Create']);
  t.same(events('Each order emits `OrderPlaced`. `ORDER_PAID` is sent when it is paid.'), [
    'ORDER_PAID',
    'OrderPlaced',
  ]);
  t.same(events('We send a **Webhook** event `key.rolled`.'), ['key.rolled']);
  t.same(events('Fires a Guild Role Create Gateway event.'), ['Guild Role Create']);
  t.same(events('Subscribe to the `push` event.'), ['push']);
});

t.test(
  'a dotted name that fires when something happens is an event, and one that is an example of a type',
  async (t) => {
    t.same(events('Watch [`endpoint.disabled`](https://x.y/z), which triggers when it was switched off.'), [
      'endpoint.disabled',
    ]);
    t.same(events('`order.settle` fires after the last payment.'), ['order.settle']);
    t.same(events('You get a webhook of type `message.attempt.exhausted`.'), ['message.attempt.exhausted']);
    t.same(events('Event types are just a string, for example: `user.signup` and `invoice.paid`.'), [
      'invoice.paid',
      'user.signup',
    ]);
    t.same(events('`useEffect` fires after the paint. `list.reload` triggers a call of the webhook.'), []);
    t.same(events('The event type is in a field. For example, `data.kind` holds it.'), []);
    t.same(events('Each event type has its own payload, such as `data.object`.'), []);
    t.same(events('The event type decides which fields are set, for example `payment.amount`.'), []);
    t.same(
      events('As it was sent, `order.items` occurs once per delivery, and `header.size` occurs before it.'),
      [],
    );
    t.same(events('Event names have two parts, such as `order.settle`.'), ['order.settle']);
  },
);

t.test('what is said of one name holds for those joined to it', async (t) => {
  t.same(events('Triggers `a.paid` and `b.payment_pending` events.'), ['a.paid', 'b.payment_pending']);
  t.same(events('Fires a [Thread Create](/e) and [Message Create](/e) Gateway event.'), [
    'Message Create',
    'Thread Create',
  ]);
  t.same(events('Fires [A Delete](/e) events (or [B Delete](/e) if it was a B).'), ['A Delete', 'B Delete']);
  t.same(
    events('It triggers `a.renewed` and `period_end` moves on.'),
    ['a.renewed'],
    'a field beside an event stays one',
  );
});

t.test('tables of events list them', async (t) => {
  t.same(events('| Event | Description |\n|---|---|\n| `a.b_c` | x |\n| [Guild Create](#g) | y |\n'), [
    'Guild Create',
    'a.b_c',
  ]);
  t.same(events('## Receive events\n\n| Name | Description |\n|---|---|\n| [Ready](#ready) | z |\n'), [
    'Ready',
  ]);
  t.same(
    events('## Event status\n\n| Name | Value |\n|---|---|\n| ACTIVE | 1 |\n'),
    [],
    'a table of states lists none',
  );
});

t.test('a name in code beside a phrase is the event, and the phrase its title', async (t) => {
  const text = [
    '| Event name | Event type | Fields | When |',
    '|---|---|---|---|',
    '| **Kettle emptied** | `kettle.emptied` | `kettle.volume` | No water is left |',
    '| Kettle Broken | `reason` | `kettle.volume` | It is beyond repair |',
  ].join('\n');
  t.same(events(text), ['Kettle Broken', 'kettle.emptied']);
  const [mention] =
    assembleText(text)
      .facts.get('page.md')
      ?.mentions.filter(({ key }) => key === 'event:kettle.emptied') ?? [];
  t.equal(mention?.description, 'No water is left');
  t.same(events('| Call | Event |\n|---|---|\n| `fill()` | `kettle.filled` |\n'), ['kettle.filled']);
  t.same(events('| Call | Helper |\n|---|---|\n| `fill()` | `kettle.filled` |\n'), []);
});

t.test('lists below an event heading list them', async (t) => {
  t.same(events('## Editor events\n\n* `editor:init`: started\n* `page:click`\n'), [
    'editor:init',
    'page:click',
  ]);
  t.same(events('The service emits the following events:\n\n- `parcel.left_depot.v1`\n- `ParcelLost`\n'), [
    'ParcelLost',
    'parcel.left_depot.v1',
  ]);
  t.same(events('## Ready event\n\n- `resume_url` is where to go\n'), [], 'properties of one event are none');
});

t.test('a heading is an event where the text says when it is sent', async (t) => {
  t.same(
    events('# Gateway Events\n\n### Channels\n\n#### Channel Create\n\nSent when a channel is created.\n'),
    ['Channel Create'],
  );
  t.same(events('# Event Types\n\n## PushEvent\n\nTriggered when a branch is pushed to.\n'), ['PushEvent']);
  t.same(events('# Events\n\n### SceneCreated\n\nA scene was created.\n\n### Example event\n\nx\n'), [
    'SceneCreated',
  ]);
});

t.test('dotted names without such words are no events', async (t) => {
  t.same(events('Use `event.listen` to subscribe to an event. Call `http.request` or `tag.define`.'), []);
  t.same(events('The host `api.example.com`, the file `app.config.js`, the scope `guilds.join`.'), []);
  t.same(events('Each event has a `type` and a `data.object` payload.'), []);
  t.same(events('Requires the `applications.commands.update` scope for events.'), []);
  t.same(events('A signature of `t.payload` in every webhook.'), []);
  t.same(events('There is no `charge.pending` event.'), []);
  t.same(events('All `invoice.*` events and `LOBBY_*` events.'), [], 'a pattern is no name');
});

t.test('what a caller may do is no event', async (t) => {
  t.same(events('Webhooks need a token; permissions accepted are: `cups:read`, `cups.updated`.'), []);
  t.same(events('# Events\n\n- `cups:write`: for events\n- `cups.admin`\n'), []);
  t.same(events('# Webhooks\n\n## Scopes of a token\n\nOne of `cups.updated` or `pots.closed`.\n'), []);
  t.same(events('# Webhooks\n\n| Call | Scope |\n|---|---|\n| fill | `cups.updated` |\n'), []);
  t.same(events('With the right scope the `cup.read` event is sent.'), ['cup.read']);
});

t.test('exceptions, jobs and services are no events', async (t) => {
  t.same(
    events('On an event it may raise a `ValueError`, and a `CupError` is raised. It raises `KettleError`.'),
    [],
  );
  t.same(events('An event triggers the `cup.created` job, then the `cup.washed_up` background task.'), []);
  t.same(events('Events: this emits the `kettle.stopped` error or triggers the job `cup.sync`.'), []);
  t.same(events('It raises the `cup.created` event, and a `CupBroken` event is raised.'), [
    'CupBroken',
    'cup.created',
  ]);
  t.same(events('Raises a Cup Create event.'), ['Cup Create']);
});

t.test('a name counts where another document declares the event', async (t) => {
  const graph = assemble({
    'a.md': 'After that `order.shipped_late` comes.',
    'events.md': '| Event | When |\n|---|---|\n| `order.shipped_late` | it is late |\n',
  });
  t.same(graph.nodes('Event'), ['order.shipped_late']);
  t.ok(graph.edges('references').includes('a -references-> order.shipped_late'));
  t.same(assemble({ 'a.md': 'After that `order.shipped_late` comes.' }).nodes('Event'), []);
});

t.test('an event belongs to the thing in its name that the description speaks of', async (t) => {
  const text = [
    'Objects: the **Customer** object, the **Subscription** object and the **Charge** object.',
    '',
    '| Event | Description |',
    '|---|---|',
    '| `customer.subscription.deleted` | A **Subscription** was canceled |',
    '| `charge.dispute.created` | A **Customer** began a dispute |',
    '| `customer.created` | stored |',
  ].join('\n');
  t.same(assembleText(text).edges(), [
    'Charge -triggers-> charge.dispute.created',
    'Customer -triggers-> customer.created',
    'Subscription -triggers-> customer.subscription.deleted',
  ]);
});

t.test('events of one thing in a list say that the thing exists', async (t) => {
  const list = assembleText(
    '# Hooks\n\n## Webhook events\n\n- `tea_pot.opened`: full\n- `tea_pot.closed`\n- `cup.created`: new\n- `spoon.lost_it`\n- `spoon.polish`\n',
  );
  t.same(list.nodes('APIObject'), ['Tea Pot']);
  t.same(list.edges('triggers'), [
    'Tea Pot -triggers-> tea_pot.closed',
    'Tea Pot -triggers-> tea_pot.opened',
  ]);
  const called = assembleText('GET /v1/cups\n\n| Event | When |\n|---|---|\n| `cup.created` | it is new |\n');
  t.same(called.edges('triggers'), ['Cup -triggers-> cup.created']);
  t.same(assembleText('The `cup.created` and `cup.deleted` events come.').nodes('APIObject'), []);
  const row = assembleText(
    '# Webhooks\n\n## Names\n\n* Cups: `cup.created`, `cup.updated` and `cup.deleted`.\n',
  );
  t.equal(row.edges('triggers').length, 3);
  t.same(assembleText('## Webhooks\n\n* Fields: `cup.created`, `cup.updated`\n').edges('triggers'), []);
  t.same(assembleText('## Webhooks\n\n* Cups: `cup.created` has `cup.updated`.\n').edges('triggers'), []);
});

t.test('spellings of an event of several words are one, dotted names are exact', async (t) => {
  t.same(events('Fires a [Channel Create](/e) event. The `CHANNEL_CREATE` event is old.').length, 1);
  t.same(events('The `a.paid` event and the `A.paid` event.').length, 2);
});

t.test('settings, values and what is sent from somewhere are no events', async (t) => {
  t.same(events('# Events\n\nIf `server.rollout.enabled` is **true**, pods may not emit any events.'), []);
  t.same(events('# Events\n\nA message with `code` set to `m.accepted` is sent.'), []);
  t.same(events('# Events\n\n`total.tax.amount` will be sent from the source object.'), []);
  t.same(events('The `IdentityPlugin` is triggered to make a token.'), []);
  t.same(events('The `get_config` webhook response; the `config.acme` event-code.'), []);
  t.same(events('Rooms may have an `m.room.avatar` state event.'), ['m.room.avatar']);
});

t.test('events of a thing are none of its name', async (t) => {
  const { nodes, edges } = assembleText(
    'The controller sends `TaskRun` events, and `OrderPlaced` events.\n\n## Models\n\n### TaskRun\n\nRuns once.\n\n# Notes\n\nA `TaskRun` may fail. The `OrderRefund` event is sent.\n',
  );
  t.same(nodes('Event'), ['OrderPlaced', 'OrderRefund']);
  t.same(nodes('APIObject'), ['TaskRun']);
  t.same(
    edges('references').filter((edge) => edge.includes('-> TaskRun')),
    ['page -references-> TaskRun'],
  );
});

t.test('a link to the heading of an event of several words means that event', async (t) => {
  const page = (link: string) =>
    assembleText(
      `# Kilns\n\nA kiln is an oven.\n\nSee the ${link}.\n\n## Gateway events\n\n### Mug Fired Event\n\nSent when a mug is done.\n`,
    )
      .edges('references')
      .filter((edge) => edge.startsWith('Kilns -') && edge.endsWith('> Mug Fired'));
  t.same(page('[Mug Fired Event](events.md#mug-fired-event)'), ['Kilns -references-> Mug Fired']);
  t.same(page('[Mug Fired](events.md#mug-fired)'), ['Kilns -references-> Mug Fired']);
  t.same(page('[Mug Fired](events.md#shelf)'), []);
});
