import t from 'tap';
import { kgraphfs, sample } from './run-cli.ts';

t.test('search leaves out what another entry supersedes, unless it is asked for', async (t) => {
  const at = sample(t);
  kgraphfs(['context', 'memory', 'add', 'fact/old', 'quokka limit is 10', ...at]);
  kgraphfs(['context', 'memory', 'add', 'fact/new', 'quokka limit is 20', ...at]);
  t.equal(kgraphfs(['context', 'memory', 'relate', 'fact/new', 'supersedes', 'fact/old', ...at]).status, 0);
  const found = (...options: string[]): string[] => {
    const { hits } = JSON.parse(kgraphfs(['search', 'quokka', '--json', ...options, ...at]).out);
    return hits.map(({ path }: { path: string }) => path).sort();
  };
  t.same(found(), ['/context/memory/fact/new']);
  t.same(found('--superseded'), ['/context/memory/fact/new', '/context/memory/fact/old']);
});
