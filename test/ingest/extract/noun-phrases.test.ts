import t from 'tap';
import { assembleText } from '../assembled.ts';

const OBJECTS = `## Core objects\n\n${[
  'Cart',
  'Payment',
  'PaymentCollection',
  'ShippingOption',
  'ShippingProfile',
  'Option',
  'Rate',
  'RateMap',
]
  .map((name) => `- **${name}** — a thing of the domain`)
  .join('\n')}\n`;

function relations(text: string): string[] {
  return assembleText(`${OBJECTS}\n${text}`).edges();
}

t.test('the last word of a phrase is part of the name, also where it can count', async (t) => {
  t.same(relations('A cart requires a payment collection.'), ['Cart -requires-> PaymentCollection']);
  t.same(relations('A rate map belongs to a cart.'), ['RateMap -belongs_to-> Cart']);
  t.same(relations('A cart generates a collection of payments.'), ['Cart -generates-> Payment']);
  t.same(relations('A cart generates a batch of payments.'), ['Cart -generates-> Payment']);
});

t.test('the first word of a subject that ends as a verb does is part of the name', async (t) => {
  t.same(relations('A shipping option also belongs to a shipping profile.'), [
    'ShippingOption -belongs_to-> ShippingProfile',
  ]);
  t.same(relations('Creating a cart generates a payment.'), ['Cart -generates-> Payment']);
  t.same(relations('Submitting payments requires a cart.'), ['Payment -requires-> Cart']);
});

t.test('a name behind a comma that goes on with a verb begins a clause', async (t) => {
  t.same(relations('When a Cart requires late checks, Payment could wait.'), []);
  t.same(relations('A Cart requires a Rate (in cents), and Payment has limits on them.'), [
    'Cart -requires-> Rate',
  ]);
  t.same(relations('A Cart requires a **Rate** and a **Payment** is made of it.'), ['Cart -requires-> Rate']);
  t.same(relations('A Cart requires a **Rate**, a **Payment** and an **ShippingOption**.'), [
    'Cart -requires-> Payment',
    'Cart -requires-> Rate',
    'Cart -requires-> ShippingOption',
  ]);
  t.same(relations('A Cart requires a Rate, Payment or ShippingOption.'), [
    'Cart -requires-> Payment',
    'Cart -requires-> Rate',
    'Cart -requires-> ShippingOption',
  ]);
});

t.test('a list goes on with names in small letters where an article stands before each', async (t) => {
  t.same(
    relations(
      'Each cart contains one or more rates, a list of payments, and the shipping options they need.',
    ),
    ['Payment -belongs_to-> Cart', 'Rate -belongs_to-> Cart', 'ShippingOption -belongs_to-> Cart'],
  );
  t.same(relations('A cart requires a rate and a payment.'), [
    'Cart -requires-> Payment',
    'Cart -requires-> Rate',
  ]);
  const one = ['Cart -requires-> Rate'];
  t.same(relations('A cart requires a rate, and the payment is made.'), one);
  t.same(relations('A cart requires a rate, and the payment waits.'), one);
  t.same(relations('A cart requires a rate, and the payment created for it waits.'), one);
  t.same(relations('A cart requires a rate, and the payment also comes.'), one);
  t.same(relations('If a cart requires a rate, the payment.'), one);
  t.same(relations('Carts require a rate and payment options.'), one);
});

t.test('what is done with objects and how files lie are no objects', async (t) => {
  const objects = (text: string) =>
    assembleText(`# Page of all kinds of things\n\n${text}\n`).nodes('APIObject');
  t.same(
    objects('Refer to the [Downloading objects in Requester Pays buckets](https://kiln.example/a.html).'),
    [],
  );
  t.same(objects('The Booking objects of a day.'), ['Booking']);
  t.same(objects('Use the [recommended file structure](#recommended-file-structure).'), []);
  t.same(objects('Use the [kiln structure](#kiln-structure).'), ['kiln']);
});
