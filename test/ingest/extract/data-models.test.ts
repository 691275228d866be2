import t from 'tap';
import { bareName } from '../../../src/ingest/extract/names.ts';
import { assembleText } from '../assembled.ts';

t.test('a name in CamelCase code is a thing, not an event, unless words say so', async (t) => {
  const { nodes, edges } = assembleText(
    'A `PaymentMethod` resource belongs to a `Customer` resource. A `PriceSet` entity requires a `PaymentMethod`.',
  );
  t.same(nodes('APIObject'), ['Customer', 'PaymentMethod', 'PriceSet']);
  t.same(edges(), ['PaymentMethod -belongs_to-> Customer', 'PriceSet -requires-> PaymentMethod']);
  t.same(assembleText('The `PaymentSet` event is sent. Each order emits `StockMoved`.').nodes('Event'), [
    'PaymentSet',
    'StockMoved',
  ]);
});

t.test('"data model" says that a name is an object, of one and of each of several', async (t) => {
  const { nodes, edges } = assembleText(
    'A charge, represented by the [Charge data model](/references/models/Charge), has a `Refund` data model. The `StockLocationAddress` data model belongs to the `StockLocation` data model.\n\nBoth the `LineItem`, `Order` and `OrderSummary` data models have a `version`.',
  );
  t.same(nodes('APIObject'), [
    'Charge',
    'LineItem',
    'Order',
    'OrderSummary',
    'Refund',
    'StockLocation',
    'StockLocationAddress',
  ]);
  t.same(edges(), ['StockLocationAddress -belongs_to-> StockLocation']);
  t.equal(bareName('the Order Change data model'), 'Order Change');
  t.equal(bareName('Customer data'), 'Customer data');
});

t.test('a folder of models of another site says of nothing that it is an object', async (t) => {
  const objects = (text: string) => assembleText(text).nodes('APIObject');
  t.same(objects('Reads are [snapshot](https://theory.example.org/models/snapshot) reads.'), []);
  t.same(objects('Each parcel has a [Label](/models/Label).'), ['Label']);
  t.same(objects('See the [Label object](https://docs.example.org/parcels#label-object).'), ['Label']);
});

t.test('the kind of a thing is no part of its name, be it two words', (t) => {
  const objects = (text: string) => assembleText(text).nodes('APIObject');
  t.same(objects('# Kilns API\n\n## Kiln data model\n\nA kiln burns clay.\n'), ['Kiln']);
  t.same(objects('# Glaze data model\n\nA glaze covers clay.\n'), ['Glaze']);
  for (const heading of [
    'Your data model',
    'Extending your data model',
    'Our data model',
    'Logical data model',
  ])
    t.same(objects(`# Kilns API\n\n## ${heading}\n\nKilns have shelves.\n`), [], heading);
  t.end();
});

t.test('what says which objects are meant, or what is done with them, is no object', (t) => {
  const objects = (text: string) => assembleText(text).nodes('APIObject');
  for (const text of [
    '## Glaze & Schema\n\nWhat both hold.\n',
    'Recipes are written as YAML-like objects and as JSON-style objects.\n\n## YAML-like object\n',
    '- **Manage resources**: add and remove kilns\n- **Read resources**: look at kilns\n',
    'The **Monthly resources** section has a row for each kiln.\n',
  ])
    t.same(objects(text), [], text);
  t.same(objects('**Charge objects** are made when a kiln is used.\n\n## Charge object\n'), ['Charge']);
  t.end();
});

t.test('"model" alone says that a heading names an object where its fields are shown, too', (t) => {
  const objects = (text: string) => assembleText(text).nodes('APIObject');
  const fields = '\n\n| Field | Type |\n|---|---|\n| id | string |\n';
  for (const heading of ['Kiln scaling model', 'Performance model', 'Key Custodian Model']) {
    t.same(objects(`# Kilns\n\n## ${heading}\n\nKilns are added as work comes.\n`), [], heading);
    t.same(objects(`# ${heading}\n\nKilns are added as work comes.\n`), [], heading);
  }
  t.same(objects(`# Kilns\n\n## Kiln model\n\nA kiln burns clay.${fields}`), ['Kiln']);
  t.same(objects(`# Kilns\n\n## Kiln model\n\n\`\`\`json\n{ "id": 1 }\n\`\`\`\n`), ['Kiln']);
  t.same(objects(`# Kiln model\n\nA kiln burns clay.\n\n## Fields${fields}`), ['Kiln']);
  t.same(objects('# Kilns\n\n## Kiln data model\n\nA kiln burns clay.\n'), ['Kiln']);
  t.end();
});

t.test('what is done with objects of any kind says nothing of the name before', (t) => {
  const objects = (text: string) => assembleText(text).nodes('APIObject');
  for (const text of [
    'Refire object detection when the kiln is cold.',
    'This comes of a [Clay-trained](https://clay.example) object detection model.',
    'Pieces are kept in **Clay** object storage.',
    '`Kiln` object-oriented code is slow.',
  ])
    t.same(objects(text), [], text);
  t.same(objects('The Charge object stores an amount. **Kiln** objects are hot.'), ['Charge', 'Kiln']);
  t.end();
});

t.test('settings below "Resource" are no objects, headings below "Resources" are', (t) => {
  const objects = (group: string) =>
    assembleText(`# Kilns\n\n## ${group}\n\n### Clay cache\n\nKeeps clay.\n`).nodes('APIObject');
  t.same(objects('Resource'), []);
  t.same(objects('Resources'), ['Clay cache']);
  t.end();
});
