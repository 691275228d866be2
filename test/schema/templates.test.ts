import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Template, templatesOf } from '../../src/schema/templates.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

function own(t: Teardown, text: string): Template {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'note.md'), text);
  const note = templatesOf(folder).get('note');
  if (note === undefined) throw new Error('it was not read');
  return note;
}

t.test('the templates of a folder are its Markdown files, and go before the ready ones', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'folder.md'));
  writeFileSync(join(folder, 'notes.txt'), '# N\n');
  writeFileSync(join(folder, 'adr.md'), '# {{title}}\n');
  const templates = templatesOf(folder);
  t.same([...templates.keys()], ['epic', 'story', 'prd', 'architecture', 'adr']);
  t.match(templates.get('adr'), { isOwn: true, isNumbered: false, folder: 'adr', fields: [], headings: [] });
  t.match(templatesOf(undefined).get('adr'), { isOwn: false, isNumbered: true, folder: 'adr' });
  t.match(
    templatesOf(undefined).get('story')?.text,
    /^---\ntitle: .*\n---\n\n# .*\n\n## Need\n\n.*\n\n## Acceptance criteria\n/s,
  );
  t.match(templatesOf(undefined).get('story'), { isOwn: false, isNumbered: false, folder: 'stories' });
  t.throws(() => templatesOf(join(folder, 'none')), { message: /none: the templates cannot be read: / });
  t.end();
});

t.test('the keys of the top level of front matter are required, however that is written', (t) => {
  const keys = (front: string) => own(t, `---\n${front}\n---\n\nnot: a key\n`).fields;
  t.same(keys('one: 1'), ['one']);
  t.same(keys('one:\n  within: 1\ntwo:\n- three: 3\n# four: 4'), ['one', 'two']);
  t.same(keys('  one: 1\n  two: {x: 1}\nthree: 3'), ['one', 'two'], 'they may be indented');
  t.same(keys('"a key" : 1\n\'b\': 2\nc d: 3\ne:f'), ['a key', 'b', 'c d']);
  t.same(own(t, '---\r\none: 1\r\ntwo: 2\r\n---\r\n').fields, ['one', 'two'], 'with CR LF');
  t.same(own(t, '---\none: 1\n---').fields, ['one'], 'of nothing else');
  t.same(own(t, '\n---\none: 1\n---\n').fields, [], 'it begins the file');
  t.same(own(t, '---\none: 1\n---x\n').fields, []);
  t.end();
});

t.test('the headings of the second level are required, unless they are to be filled in', (t) => {
  const text =
    '# {{number}} {{title}}\n\n## Why\n\n##  How ##\n\n## {{key}}\n\n### Deeper\n\n##None\n\n## Last one\r\n';
  t.match(own(t, text), { headings: ['Why', 'How', 'Last one'], isNumbered: true, text });
  t.end();
});
