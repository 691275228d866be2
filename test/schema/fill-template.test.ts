import t from 'tap';
import { fillTemplate, slugOf } from '../../src/schema/fill-template.ts';
import type { Template } from '../../src/schema/templates.ts';

function template(text: string): Template {
  return { name: 'note', folder: 'note', isOwn: true, isNumbered: false, fields: [], headings: [], text };
}

t.test('a template whose lines end with CR LF has front matter, too', async (t) => {
  const note = template('---\r\ntitle: "{{title}}"\r\n---\r\n\r\n# {{title}}\r\n');
  const text = fillTemplate(note, { title: 'Say "no"' }, new Map([['owner', 'ops']]));
  t.equal(text, '---\r\ntitle: "Say \\"no\\""\r\nowner: ops\r\n---\r\n\r\n# Say "no"\r\n');
  t.equal(
    fillTemplate(note, { title: 'Say "no"' }, new Map()),
    '---\r\ntitle: "Say \\"no\\""\r\n---\r\n\r\n# Say "no"\r\n',
    'where there is nothing to add it stays as it is',
  );
});

t.test('a value of a name that the template does not know stays out, and an unknown place in', async (t) => {
  t.equal(
    fillTemplate(template('{{ title }} {{other}}\n'), { title: 'A', date: 'B' }, new Map()),
    'A {{other}}\n',
  );
});

t.test('what was set goes before what is said of a document anyway, and makes front matter', async (t) => {
  const set = new Map([['title', 'Set']]);
  t.equal(fillTemplate(template('# {{title}}\n'), { title: 'Said' }, set), '# Set\n');
  t.equal(fillTemplate(template('# Text\n'), {}, set), '---\ntitle: Set\n---\n\n# Text\n');
});

t.test('the name of a file is cut between its letters, and ends with one', async (t) => {
  t.equal(slugOf(`${'a'.repeat(79)} b`), 'a'.repeat(79));
  t.equal(slugOf(`a${'𠀀'.repeat(60)}`), `a${'𠀀'.repeat(39)}`);
  t.equal(slugOf(`${'a'.repeat(78)} 𠀀`), 'a'.repeat(78));
  t.equal(slugOf(" Don't—stop! "), 'dont-stop');
});
