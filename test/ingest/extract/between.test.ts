import t from 'tap';
import { assembleText } from '../assembled.ts';

const OBJECTS = `## Core objects\n\n${['Cart', 'Order', 'Member', 'User', 'Conversation']
  .map((name) => `- **${name}** — a thing of the domain`)
  .join('\n')}\n`;

function references(text: string): string[] {
  return assembleText(`${OBJECTS}\n${text}`)
    .edges('references')
    .filter((edge) => !edge.startsWith('page '));
}

t.test('a link between two things relates them', async (t) => {
  t.same(references('There is a link between the `Order` and the `Cart`.'), ['Order -references-> Cart']);
  t.same(references('We define a relationship between the `Order` and `Cart` data models.'), [
    'Order -references-> Cart',
  ]);
  t.same(references('The time between an order and a cart is short.'), []);
  t.same(references('There is no link between the **Order** and the **Cart**.'), []);
  t.same(references('A connection between the order and the server is kept.'), []);
});

t.test('who connects two things says that they are related', async (t) => {
  t.same(references('Member objects connect Users with Conversations.'), ['User -references-> Conversation']);
  t.same(references('Checkout associates the cart with an order.'), ['Cart -references-> Order']);
  t.same(references('A cart links to an order.'), ['Cart -references-> Order']);
});
