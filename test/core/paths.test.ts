import fc from 'fast-check';
import t from 'tap';
import { isFsError } from '../../src/core/errors.ts';
import { below, joinPath, parsePath } from '../../src/core/paths.ts';

t.test('a path is normalised once and stays as it is', async (t) => {
  t.equal(parsePath('//a/./b//c/..'), '/a/b');
  t.equal(parsePath('a/b/'), '/a/b');
  t.equal(parsePath(''), '/');
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', '.', '..', ''), { maxLength: 8 }), (parts) => {
      try {
        const path = parsePath(parts.join('/'));
        return parsePath(path) === path && !/(^|\/)\.{1,2}(\/|$)|\/\//.test(path);
      } catch (error) {
        return isFsError(error, 'ENOENT');
      }
    }),
  );
});

t.test('what cannot be a path is refused with the errno a disk gives', async (t) => {
  const codeOf = (text: string) => {
    try {
      return parsePath(text);
    } catch (error) {
      return isFsError(error) ? error.code : error;
    }
  };
  t.equal(codeOf('/../etc/passwd'), 'ENOENT');
  t.equal(codeOf('/docs/../../etc/passwd'), 'ENOENT');
  t.equal(codeOf('/a\0b'), 'EINVAL');
  t.equal(codeOf('/bad\uFFFDname'), 'EILSEQ');
  t.equal(codeOf(`/${'x'.repeat(256)}`), 'ENAMETOOLONG');
  t.equal(codeOf(`/${'é'.repeat(128)}`), 'ENAMETOOLONG', 'bytes count, not characters');
  t.equal(codeOf(`/${'x'.repeat(255)}`), `/${'x'.repeat(255)}`);
  t.equal(codeOf('/abc'.repeat(1024)), 'ENAMETOOLONG');
});

t.test('what lies below a mount point is what joins to it again', async (t) => {
  const docs = parsePath('/docs');
  t.equal(below(parsePath('/docs/a/b'), docs), 'a/b');
  t.equal(below(parsePath('/docs'), docs), '');
  t.equal(below(parsePath('/docsx'), docs), undefined, 'a name that begins the same is another name');
  for (const path of ['/docs', '/docs/a', '/docs/a/b'].map(parsePath)) {
    const rest = below(path, docs);
    t.equal(rest === undefined ? undefined : joinPath(docs, rest), path);
  }
});
