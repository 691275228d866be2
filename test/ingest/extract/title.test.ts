import t from 'tap';
import { actionOf, isHistory, isNominal, objectOf, topicOf } from '../../../src/ingest/extract/title.ts';

t.test('headings of endpoints tell what is done to what', async (t) => {
  t.same(actionOf('Create a Charge'), { verb: 'create', object: 'Charge', phrase: 'Charge' });
  t.same(actionOf('List all customers'), { verb: 'list', object: 'customers', phrase: 'customers' });
  t.same(actionOf('Delete/Close Channel'), { verb: 'delete', object: 'Channel', phrase: 'Channel' });
  t.same(actionOf('Retrieve a `Payment method` (beta)'), {
    verb: 'retrieve',
    object: 'Payment method',
    phrase: 'Payment method',
  });
  t.same(actionOf('Remove the member from a team'), { verb: 'remove', object: 'member', phrase: 'member' });
  for (const heading of [
    'Get information about a kiln',
    'Retrieve the details of a kiln',
    'Get a kiln API reference',
  ])
    t.equal(actionOf(heading)?.object, 'kiln', heading);
  for (const heading of ['Charges', 'How to pay', 'Get the last year of activity', 'Pull', 'Put on hold']) {
    t.equal(actionOf(heading), undefined, heading);
  }
});

t.test('headings of objects name them', async (t) => {
  t.equal(objectOf('Guild Member Object'), 'Guild Member');
  t.equal(objectOf('The Invoice resource'), 'Invoice');
  for (const heading of [
    'Core Object',
    'Response object',
    'Example Charge Object',
    'Create a resource',
    'Objects',
  ]) {
    t.equal(objectOf(heading), undefined, heading);
  }
});

t.test('a name is no sentence, question or instruction', async (t) => {
  for (const title of ['Space Lua', 'Rate limits', 'Command Palette', 'OAuth2'])
    t.ok(isNominal(title), title);
  for (const title of [
    'Getting started',
    'Why us?',
    'Pay an invoice',
    'your keys',
    'A and B',
    'README.md',
    'How it works',
  ]) {
    t.notOk(isNominal(title), title);
  }
});

t.test('a page is about the thing in front of "overview" or "guide"', async (t) => {
  t.equal(topicOf('Webhooks overview'), 'Webhooks');
  t.equal(topicOf('Kiln manual'), 'Kiln');
  t.equal(topicOf('Clay store walkthrough'), 'Clay store');
  t.equal(topicOf('Design guidelines'), undefined);
});

t.test('changelogs are told by their path or title', async (t) => {
  t.ok(isHistory('docs/CHANGELOG.md', 'x'));
  t.ok(isHistory('releases/2.0.md', 'x'));
  t.ok(isHistory('a.md', 'Release notes'));
  t.notOk(isHistory('exchanges/rates.md', 'Exchange rates'));
});

t.test('the first of two names that share a head is not what an action is on', async (t) => {
  t.equal(actionOf('Find the Team and Channel IDs'), undefined);
  t.equal(actionOf('List orders and open refunds')?.object, 'orders');
  t.equal(actionOf('Create a customer and a charge')?.object, 'customer');
});

t.test('what stands before "object" or "model" is a thing only where it names one', async (t) => {
  for (const heading of [
    'Shipping address object',
    'Payment Items resource',
    'Text embedding model',
    'Infrared entity',
    'Feed resource',
  ])
    t.not(objectOf(heading), undefined, heading);
  for (const heading of [
    'Fine-grained permissions for any object',
    'Comparison with previous model',
    'Reliability & Security Model',
    'Operator mental model',
    'Target model',
    'Versioned schema (off-chain)',
    'Custom identity schema',
    'Deleting a Metadata Schema',
    'Overriding Business Entity',
    'Setting up your business entity',
    'Our security model',
    "Acme's pricing model",
    'S3-compatible object',
    'Base64-encoded JSON object',
    'Used Resource',
    'Updated entity',
  ])
    t.equal(objectOf(heading), undefined, heading);
});

t.test('a guide is about a thing only where its title names one', async (t) => {
  t.equal(topicOf('Kiln reference'), 'Kiln');
  for (const title of [
    'Quick Reference',
    'Style Guide',
    'Ordering guides',
    'Onboard a kiln',
    'Invoice an order',
  ])
    t.equal(topicOf(title), undefined, title);
});
