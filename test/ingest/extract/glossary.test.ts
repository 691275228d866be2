/** Terms of a glossary that are written with their short form. */
import t from 'tap';
import { extractDocument } from '../../../src/ingest/extract/extract.ts';
import { assembleText } from '../assembled.ts';

t.test('a heading or a row of a glossary defines a term that has its short form behind it', async (t) => {
  const headed = '# Glossary\n\n## Kiln Credit (KC)\n\nThe unit by which firing is paid for.\n';
  t.same(assembleText(headed).nodes('Concept'), ['Kiln Credit']);
  const rows =
    '# Words\n\n| Term | Definition |\n|---|---|\n| Kiln Credit (KC) | The unit of payment. |\n| Team (EU) | Who works there. |\n';
  t.same(assembleText(rows).nodes('Concept'), ['Kiln Credit', 'Words']);
});

t.test('such a row introduces the short form', async (t) => {
  const { mentions } = extractDocument(
    'words.md',
    '# Words\n\n| Term | Definition |\n|---|---|\n| Kiln Credit (KC) | The unit of payment. |\n',
  );
  const long = mentions.filter(({ properties }) => properties?.['short_form'] === 'KC');
  t.same(
    long.map(({ label, line }) => `${label} at ${line}`),
    ['Kiln Credit at 5'],
  );
});

t.test('a glossary may define its terms in paragraphs, and each tells of its term', async (t) => {
  const { nodes, edges } = assembleText(
    '# Glossary\n\nTerms of the workshop.\n\n## F\n\n**Firing** — Heating of clay. Creates a mug that can be sold.\n\n## M\n\n**Mug** — What is drunk from. Requires a glaze.\n\n**Glaze** — The coat of a mug.\n\n**Note:** see the other pages.\n',
    'glossary.md',
  );
  t.same(nodes('Concept'), ['Firing', 'Glaze', 'Mug']);
  t.same(edges(), ['Firing -generates-> Mug', 'Mug -requires-> Glaze']);
  const { nodes: atOnce } = assembleText(
    '# Glossary\n\n**Mug** — What is drunk from.\n\n**Synonyms:** cup, beaker and bowl.\n\n- **Glaze**: the coat of a mug.\n',
  );
  t.same(atOnce('Concept'), ['Glaze', 'Mug'], 'without letters above them');
});
