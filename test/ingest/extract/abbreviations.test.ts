/** Short forms that a document introduces: each of the two names is mentioned with the other. */
import t from 'tap';
import { extractDocument } from '../../../src/ingest/extract/extract.ts';

/** What a text says that names are short for, as `WAL = write-ahead log at LINE`. */
function shortForms(text: string): string[] {
  const { mentions } = extractDocument('page.md', text);
  const said = mentions.flatMap(({ key, label, line, properties = {} }) => {
    const long = properties['short_for'];
    const isMutual = mentions.some(
      (other) => other.key !== key && other.properties?.['short_form'] === label,
    );
    return long === undefined || !isMutual ? [] : [`${label} = ${long} at ${line}`];
  });
  return said.sort();
}

t.test('a short form behind a name or before it has the initials of its words', async (t) => {
  t.same(shortForms('# Relay\n\nIt has a write-ahead log (WAL).\nLater, WALs are cut.\n'), [
    'WAL = write-ahead log at 3',
  ]);
  t.same(shortForms('# Kiln Credit (KC)\n\n- **Kiln Credits** (KCs) pay.\n'), ['KC = Kiln Credit at 1']);
  t.same(shortForms('# Kilns\n\nA server for KCP (Kiln Context Protocol).\n'), [
    'KCP = Kiln Context Protocol at 3',
  ]);
  t.same(shortForms('# Kilns\n\nThe Kiln Row (KR) and the Kiln Relay (KR).\n'), ['KR = Kiln Row at 3']);
});

t.test('other things in brackets are no short forms', async (t) => {
  const others = ['the Team (EU)', 'an Order (PDF)', 'a Charge (USD)', 'a Server (v2)', 'the Kiln, Row (KR)'];
  for (const text of [...others, 'an ID (if denied)', 'the KR (kiln rows, mostly)', 'no-KR (kiln row)'])
    t.same(shortForms(`# Kilns\n\nThis is ${text}.\n`), [], text);
});

t.test('a short form alone makes no node', async (t) => {
  const { mentions } = extractDocument('page.md', '# Kilns\n\nSome row of kilns (ROK), a kiln row (KR).\n');
  t.same(
    mentions.filter(({ declares, key }) => declares && !key.startsWith('document:')).map((one) => one.key),
    ['concept:kiln'],
  );
});
