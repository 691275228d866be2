import t from 'tap';
import { assembleText } from '../assembled.ts';

function events(text: string): string[] {
  return assembleText(text).nodes('Event');
}

t.test('topics of a table of pages are no events', (t) => {
  const rows =
    '|---|---|\n| Getting Started | https://example.com/start |\n| Cart Basics | [read](https://example.com/c) |\n';
  t.same(events(`## Entry points\n\n| Topic | Link |\n${rows}`), []);
  t.same(events('## Streams\n\n| Topic | Sent |\n|---|---|\n| `cart.closed` | when it closes |\n'), [
    'cart.closed',
  ]);
  t.same(events('## Webhook topics\n\n| Topic | Sent |\n|---|---|\n| Cart Closed | when it closes |\n'), [
    'Cart Closed',
  ]);
  t.end();
});
