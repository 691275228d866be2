import { execFileSync, spawnSync } from 'node:child_process';
import t from 'tap';
import { AGENTS_GUIDE } from '../../src/resolvers/agents-guide.ts';
import { mountPlace } from '../cli/mount/mount-place.ts';
import { kgraphfs } from '../cli/run-cli.ts';
import { needsFuse } from '../fuse/fuse-available.ts';

/** What stands for the placeholders of the paths, of the sample docs. */
const EXAMPLES: Readonly<Record<string, string>> = {
  '<name>': 'Invoice',
  '<Type>': 'APIObject',
  '<edge>': 'generates',
  '<document>': 'charges/create.md',
  '<from>': 'Subscription',
  '<to>': 'Charge',
  '<question>': 'how are refunds reported',
  '<path>': 'charges/create.md',
  '<folder>': 'charges',
  '<key>': 'refunds',
};

t.test('each command and path of AGENTS.md works on the sample docs', needsFuse(), async (t) => {
  const { mountpoint, at } = mountPlace(t);
  t.equal(kgraphfs(['mount', mountpoint, ...at, '--wait']).status, 0);
  const run = (command: string) =>
    spawnSync('bash', ['-c', command], {
      cwd: mountpoint,
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });

  t.equal(execFileSync('cat', [`${mountpoint}/AGENTS.md`], { encoding: 'utf8' }), AGENTS_GUIDE);
  t.ok(AGENTS_GUIDE.split('\n').length <= 60, 'it is read in every session');
  const block = /^```sh\n(.*?)^```$/ms.exec(AGENTS_GUIDE)?.[1] ?? '';
  const recipes = block.split(/^# .*\n/m).slice(1);
  t.equal(recipes.length, 5);
  for (const recipe of recipes) {
    for (const command of commandsOf(recipe)) {
      const { status, stdout, stderr } = run(command);
      t.same({ status, stderr }, { status: 0, stderr: '' }, command);
      if (!/^(?:printf|rm) /.test(command)) t.not(stdout, '', command);
    }
  }

  run(
    'echo "Invoices are sent by mail" > context/memory/fact/refunds; mkdir "search/pinned/how are refunds reported"',
  );
  for (const path of pathsOf(AGENTS_GUIDE)) {
    const { status, stderr } = run(path.endsWith('/') ? `ls -- '${path}'` : `cat -- '${path}'`);
    t.same({ status, stderr }, { status: 0, stderr: '' }, path);
  }
  t.equal(
    run(
      'cat "graph/nodes/POST %2Fv1%2Fcharges" && cmp "graph/nodes/GET %2Fv1%2Finvoices" "graph/nodes/get v1 invoices" && cmp graph/nodes/charge graph/nodes/Charge',
    ).status,
    0,
  );
  const [, step = 'no step is named'] = /One step on: (cd \S+)/.exec(AGENTS_GUIDE) ?? [];
  const walk = run(
    `cd graph/near/Subscription/generates && ls && ${step.replace('<other>', 'Invoice')} && ls -d generates`,
  );
  t.same(
    [walk.stdout, walk.stderr],
    ['Invoice\ngenerates\n', ''],
    'the names in an edge are links to files: cd goes round by near/',
  );
  const asked = (name: string) => run(`cat "search/${name}"`).status;
  t.equal(asked('what does GET %2Fv1%2Fcharges return'), 0);
  t.same([asked('é'.repeat(127)), asked('é'.repeat(128))], [0, 1], 'in bytes');
  t.match(AGENTS_GUIDE, 'in a question too: "POST /v1/charges"');
  t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
});

/** A command goes on over lines as long as a quotation mark is open. */
function commandsOf(recipe: string): string[] {
  const commands: string[] = [];
  for (const line of recipe.trimEnd().split('\n')) {
    const last = commands.at(-1);
    if (last !== undefined && (last.match(/"/g)?.length ?? 0) % 2 === 1)
      commands.splice(-1, 1, `${last}\n${line}`);
    else commands.push(line);
  }
  return commands;
}

/** All that is listed under "What is where", with examples for what stands in angle brackets. */
function pathsOf(guide: string): string[] {
  const list = /^## What is where\n(.*?)^Names:/ms.exec(guide)?.[1] ?? '';
  return [
    ...list.matchAll(
      /^- (\S+(?: \S+)*?)(?: {2}|$)|; (docs\/<folder>\.md|\.kgraphfs\/errors\.jsonl|context\/review\/|graph\/memory\/)/gm,
    ),
  ]
    .map(
      ([, first, further]) =>
        first ?? (further?.startsWith('docs/') ? `context/summary/${further}` : further) ?? '',
    )
    .map((path) => path.replace(/<\w+>/g, (placeholder) => EXAMPLES[placeholder] ?? placeholder));
}
