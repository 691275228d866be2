import t from 'tap';
import { extractDocument } from '../../src/ingest/extract/extract.ts';
import { graphSubject } from '../graph/subject.ts';

t.test('all outlines come in order of path, and may be gone through within each other', async (t) => {
  const { store, putAll } = graphSubject(t);
  const paths = Array.from({ length: 205 }, (_, index) => `${String(index).padStart(3, '0')}.md`);
  putAll(new Map(paths.map((path) => [path, extractDocument(path, '# A\n')])));
  t.same(
    Array.from(store.outlines.all(), ({ path }) => path),
    paths,
  );
  const outer = store.outlines.all();
  outer.next();
  t.equal(Array.from(store.outlines.all()).length, paths.length);
  t.equal(Array.from(outer).length, paths.length - 1);
});
