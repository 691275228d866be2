import { join } from 'node:path';
import t from 'tap';
import { openCommits } from '../../src/commit-graph/open.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { openStore } from '../../src/store/store.ts';
import { GitSandbox } from '../git/sandbox.ts';
import { oneFolder } from '../support/one-folder.ts';
import { pagesOf, pagesOfRebuild } from './fixture.ts';

t.test('what the index of the docs has read is taken from it, and only where it is the same', async (t) => {
  const git = new GitSandbox(t);
  const things = ['Charge', 'Refund', 'Payout', 'Balance', 'Customer', 'Dispute', 'Invoice', 'Order', 'Card'];
  const write = (text: string) => {
    for (const [index, thing] of things.entries()) {
      const next = things[(index + 1) % things.length];
      git.write(
        `${thing.toLowerCase()}.md`,
        `# ${thing}\n\n${text}\n\n## Relationships\n\n- ${thing} requires ${next}\n`,
      );
    }
  };
  write('First.');
  const first = git.commit('first');
  write('A Charge belongs to a Customer.');
  const second = git.commit('second');
  git.write('charge.md', '# Charge\n\nNot committed: a Charge triggers a Dispute.\n');
  const selection = oneFolder(git.folder);
  const state = join(git.folder, '.kgraphfs');
  const [excluded, maxBytes, clock] = [[state], 8 << 20, { nowMs: () => 0 }];
  const indexFile = join(state, 'index.sqlite');
  const index = openStore(indexFile);
  await updateIndex({ store: index, docs: selection, excluded, maxBytes, clock });
  index.close();
  const opened = openCommits({
    file: join(state, 'commits.sqlite'),
    indexFile,
    settings: { selection, excluded, maxBytes },
    caller: { variables: git.variables, workingFolder: git.folder },
    clock,
  });
  t.teardown(() => opened.close());
  for (const commit of [first, second, first, second]) {
    opened.graph.bringTo(commit);
    t.same(pagesOf(opened.store), pagesOfRebuild(git, commit));
  }
});
