import { createHash } from 'node:crypto';
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { readDocument, readText } from '../../src/source/document-text.ts';
import { openFixture } from './docs-fixture.ts';

t.test('a document is its text with the status of the version that was read', async (t) => {
  const { folder, root } = openFixture(t, { 'a/x.md': '# Grüße\r\n' });
  const onDisk = statSync(join(folder, 'a/x.md'), { bigint: true });
  t.same(readDocument(root, 'a/x.md'), {
    text: '# Grüße\r\n',
    isBinary: false,
    sha256: createHash('sha256').update('# Grüße\r\n').digest('hex'),
    sizeBytes: 11,
    modifiedNs: onDisk.mtimeNs,
    changedNs: onDisk.ctimeNs,
    inode: onDisk.ino,
    problems: [],
  });
});

t.test('a byte order mark is no text, but part of what is hashed', async (t) => {
  const { root } = openFixture(t, { 'x.md': '\uFEFF# Title' });
  const document = readDocument(root, 'x.md');
  t.equal(document.text, '# Title');
  t.equal(readText(root, 'x.md'), '# Title');
  t.equal(document.sha256, createHash('sha256').update('\uFEFF# Title').digest('hex'));
});

t.test('bytes that are not UTF-8 are replaced, and the first one is named', async (t) => {
  const latin1 = Buffer.from('caf\u00e9 \u00fc\n', 'latin1');
  const { root } = openFixture(t, {
    'x.md': Buffer.concat([Buffer.from('ok\nélan \uFFFD\n'), latin1]),
    'bom.md': Buffer.concat([Buffer.from('\uFEFFa'), Buffer.from([0xff])]),
  });
  const { text, problems } = readDocument(root, 'x.md');
  t.equal(text, 'ok\nélan \uFFFD\ncaf\uFFFD \uFFFD\n');
  t.equal(readText(root, 'x.md'), text);
  t.match(problems, [{ path: 'x.md', line: 3, code: 'not-utf8', message: /^byte 16 of x\.md / }]);
  t.match(readDocument(root, 'bom.md').problems, [{ line: 1, message: /^byte 4 / }]);
});

t.test('the first wrong byte is found wherever it is', async (t) => {
  const { folder, root } = openFixture(t, {});
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
      if (before.includes('\0') || after.includes('\0') || !before.isWellFormed()) return true;
      const head = Buffer.from(before);
      writeFileSync(join(folder, 'x.md'), Buffer.concat([head, Buffer.from([0xff]), Buffer.from(after)]));
      const [problem] = readDocument(root, 'x.md').problems;
      const line = before.split('\n').length;
      return problem?.line === line && problem.message.startsWith(`byte ${head.byteLength} of`);
    }),
  );
});

t.test('content with a NUL near its beginning is binary, which markdown is told of', async (t) => {
  const utf16 = Buffer.from('\uFEFF# Title\n', 'utf16le');
  const { root } = openFixture(t, { 'x.md': utf16, 'x.txt': utf16, 'late.txt': `${'x'.repeat(8192)}\0` });
  t.match(readDocument(root, 'x.md'), {
    isBinary: true,
    text: '',
    problems: [{ code: 'binary', message: /UTF-16/ }],
  });
  t.match(readDocument(root, 'x.txt'), { isBinary: true, text: '', problems: { length: 0 } });
  t.equal(readText(root, 'x.txt'), '');
  t.match(readDocument(root, 'late.txt'), { isBinary: false });
});

t.test('a file past the limit is refused before it is read', async (t) => {
  const { folder, root } = openFixture(t, { 'x.md': '12345', 'huge.md': '' });
  truncateSync(join(folder, 'huge.md'), 100 * 1024 * 1024);
  t.throws(() => readDocument(root, 'x.md', 4), { code: 'EFBIG' });
  t.equal(readDocument(root, 'x.md', 5).text, '12345');
  t.throws(() => readDocument(root, 'huge.md'), { code: 'EFBIG' });
  t.throws(() => readDocument(root, 'nope.md'), { code: 'ENOENT' });
});
