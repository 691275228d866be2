import t from 'tap';
import { assembleText } from '../assembled.ts';

const SERVICES = `## Services\n\n${['Loader', 'Collector', 'Store', 'Row Engine', 'Relay', 'Kiln']
  .map((name) => `- **${name}** — a part of the system`)
  .join('\n')}\n`;

function relations(text: string): string[] {
  return assembleText(`${SERVICES}\n## How it works\n\n${text}`)
    .edges('references')
    .filter((edge) => !edge.startsWith('page '));
}

t.test('what hands something to another, or takes it from there, references it', async (t) => {
  t.same(relations('The loader sends batches of rows to the store.'), ['Loader -references-> Store']);
  t.same(relations('Loaders push rows to the [relay](relay.md) and the collector.'), [
    'Loader -references-> Collector',
    'Loader -references-> Relay',
  ]);
  t.same(relations('A row engine fetches rows both from the collectors and the store.'), [
    'Row Engine -references-> Collector',
    'Row Engine -references-> Store',
  ]);
  t.same(relations('The **Relay** forwards each row to a collector, and reads rows from the Store.'), [
    'Relay -references-> Collector',
    'Relay -references-> Store',
  ]);
});

t.test('who reads the text, and what is a purpose or another clause, hands over nothing', async (t) => {
  t.same(relations('Send the rows to the store.'), []);
  t.same(relations('With a loader you send rows to the store.'), []);
  t.same(relations('Use the loader to send rows to the store.'), []);
  t.same(relations('The loader does not send rows to the store.'), []);
  t.same(relations('The loader sends a request to store rows.'), []);
  t.same(relations('The loader sends rows when they are given to the store.'), []);
  t.same(relations('The loader writes, and somebody adds rows to the store.'), []);
  t.same(relations("The loader's owner sends rows to the store."), []);
  t.same(relations('The loader delivers rows prior to the store.'), []);
  t.same(relations('The loader writes rows according to the store.'), []);
  t.same(relations('The loader sends rows belonging to the store.'), []);
  t.same(relations('The loader reads rows independently from the store.'), []);
});

t.test('who acts behind a comma once something came begins a clause, and took no part in that', async (t) => {
  const about = (text: string) =>
    assembleText(`${SERVICES}\n## How it works\n\n${text}`)
      .edges('references', 'generates')
      .filter((edge) => !edge.startsWith('page '));
  const both = ['Collector -references-> Kiln', 'Loader -generates-> Row Engine'];
  t.same(about('Once the collector receives rows from the kiln, Loader creates a row engine.'), both);
  t.same(about('When the collector fetches rows from Kiln, the **Loader** creates a row engine.'), both);
  t.same(about('Once the collector receives rows from Kiln, Loader and Relay, it waits.'), [
    'Collector -references-> Kiln',
    'Collector -references-> Loader',
    'Collector -references-> Relay',
  ]);
});

t.test('what is based on a thing references it, and what keeps a thing up references that', async (t) => {
  t.same(relations('The store is built on top of the kiln.'), ['Store -references-> Kiln']);
  t.same(relations('The row engine is based on collectors.'), ['Row Engine -references-> Collector']);
  t.same(relations('The store is periodically updated by the loader.'), ['Loader -references-> Store']);
  t.same(relations('The store is not based on the kiln.'), []);
});
