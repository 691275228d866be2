import t from 'tap';
import { writePairs, writeTable } from '../../../src/cli/text/table.ts';
import { memoryOutput } from '../memory-output.ts';

const ROWS = [
  { name: 'Charge', degree: 12, note: 'moves money from a payment method' },
  { name: 'POST /v1/charges', degree: 3, note: 'a\nb' },
];

const COLUMNS = [
  { title: 'name', value: (row: (typeof ROWS)[number]) => row.name },
  { title: 'degree', value: (row: (typeof ROWS)[number]) => row.degree },
  { title: 'note', value: (row: (typeof ROWS)[number]) => row.note },
];

t.test('in a pipe a table is aligned, plain and whole', async (t) => {
  const output = memoryOutput();
  writeTable(output, ROWS, COLUMNS);
  t.equal(
    output.text(),
    [
      'NAME              DEGREE  NOTE',
      'Charge                12  moves money from a payment method',
      'POST /v1/charges       3  a b',
      '',
    ].join('\n'),
  );
});

t.test('a name is written so that it can be opened', async (t) => {
  const output = memoryOutput();
  const rows = ['a  b', 'new\nline'];
  writeTable(output, rows, [{ title: 'name', value: (row: string) => row, isName: true }]);
  t.equal(output.text(), "NAME\na  b\n$'new\\nline'\n");
});

t.test('on a terminal its lines end where the terminal does', async (t) => {
  const output = memoryOutput(40);
  writeTable(output, ROWS, COLUMNS);
  const [titles, first] = output.text().split('\n');
  t.equal(titles, '\u001b[1mNAME              DEGREE  NOTE\u001b[22m');
  t.equal(first, 'Charge                12  moves money f…');
});

t.test('on a terminal a long name leaves room for the other columns', async (t) => {
  const output = memoryOutput(40);
  writeTable(output, [{ name: 'n'.repeat(300), degree: 3, note: 'short' }, ...ROWS], COLUMNS);
  const [, first] = output.text().split('\n');
  t.equal(first, `${'n'.repeat(19)}…       3  short`);
});

t.test('on a terminal a long name is whole if the line has room for it', async (t) => {
  const output = memoryOutput(40);
  const name = 'n'.repeat(23);
  writeTable(output, [{ name, degree: 3, note: 'short' }], COLUMNS);
  t.equal(output.text().split('\n')[1], `${name}       3  short`);
});

t.test('names and values are aligned in pairs', async (t) => {
  const output = memoryOutput();
  writePairs(output, [
    ['state', 'ready'],
    ['documents', 26],
  ]);
  t.equal(output.text(), 'state      ready\ndocuments  26\n');
});
