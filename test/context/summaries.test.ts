import t from 'tap';
import { type SummarySources, summaryOf } from '../../src/context/summaries.ts';

function docs(files: Readonly<Record<string, string>>): SummarySources {
  const documents = Object.keys(files)
    .sort()
    .map((path) => ({ path, title: /^# (.*)$/m.exec(files[path] ?? '')?.[1] ?? path }));
  return {
    documentsWithin: (folder) =>
      documents.filter(({ path }) => path.startsWith(folder === '' ? '' : `${folder}/`)),
    document: (path) => documents.find((document) => document.path === path),
    textOf: (path) => files[path],
  };
}

const REFUNDS = [
  '# Refunds',
  '',
  'A refund returns the money of a charge to the customer. A refund takes five days.',
  '',
  '## Limits',
  '',
  'A charge can be refunded for ninety days. Somebody wrote this on a Sunday.',
  '',
  '## Example',
  '',
  '```sh',
  '# this is no heading',
  '```',
  '',
].join('\n');

t.test('a document is summed up by its own sentences, and its sections by one each', (t) => {
  t.equal(
    summaryOf('billing/refunds.md', docs({ 'billing/refunds.md': REFUNDS })),
    [
      '# Refunds',
      'Summary of docs/billing/refunds.md, 13 lines.',
      'A refund returns the money of a charge to the customer. A refund takes five days. A charge can be refunded for ninety days.',
      '- Refunds (line 1)\n- Limits (line 5): Somebody wrote this on a Sunday.\n- Example (line 9)\n',
    ].join('\n\n'),
  );
  t.end();
});

t.test(
  'a folder is summed up by its documents, and the folders in it by what opens them or by titles',
  (t) => {
    const sources = docs({
      'billing/refunds.md': REFUNDS,
      'billing/charges/create.md': '# Create a charge\n\nSend the amount to this endpoint.',
      'billing/disputes/README.md': '# Disputes\n\nA customer may dispute a charge at the bank.',
      'other.md': '# Other\n\nSomething else is said here.',
    });
    const text = summaryOf('billing', sources) ?? '';
    t.match(text, /^# docs\/billing\/\n\nSummary of 3 documents, 1 of them in this folder itself\.\n/);
    t.match(
      text,
      '- Refunds (docs/billing/refunds.md): A refund returns the money of a charge to the customer.',
    );
    t.match(text, '- docs/billing/charges/ (1): Create a charge\n');
    t.match(text, '- docs/billing/disputes/ (1): A customer may dispute a charge at the bank.\n');
    t.notMatch(text, 'Something else');
    t.match(summaryOf('', sources), /^# docs\/\n\nSummary of 4 documents/);
    t.end();
  },
);

t.test('a document that is named as a folder is summed up with it', (t) => {
  const text = summaryOf(
    'billing',
    docs({ 'billing.md': '# Billing\n\nAll about money is here.', 'billing/refunds.md': REFUNDS }),
  );
  t.match(text, /^# Billing\n.*\n# docs\/billing\/\n/s);
  t.end();
});

t.test('names of files and folders are one line each', (t) => {
  const sources = docs({ 'a\n# b/c\n# d.md': 'Something is said here.', 'a\n# b/e/f.md': 'And here.' });
  for (const path of ['', 'a\n# b', 'a\n# b/c\n# d.md']) {
    t.equal((summaryOf(path, sources) ?? '').match(/^# /gm)?.length, 1, path);
  }
  t.match(summaryOf('', sources), "- $'docs/a\\n# b/' (2): ");
  t.match(summaryOf('a\n# b', sources), "($'docs/a\\n# b/c\\n# d.md'): Something is said here.");
  t.end();
});

t.test('of what is not there, there is no summary', (t) => {
  t.equal(summaryOf('nothing', docs({ 'a.md': 'x' })), undefined);
  t.end();
});
