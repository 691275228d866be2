import t from 'tap';
import { findCommand } from '../../src/cli/find-command.ts';
import { COMMANDS } from '../../src/cli/registry.ts';

/** What a command line is found to ask for, in a few words. */
function found(line: string): string {
  const result = findCommand(line.split(' ').filter(Boolean), COMMANDS);
  switch (result.kind) {
    case 'command':
      return `${result.command.verb} | ${result.rest.join(' ')}`;
    case 'group':
      return `group: ${result.group} ${result.word ?? ''}`.trim();
    case 'unknown':
      return `unknown: ${result.word}`;
    case 'nothing':
      return 'nothing';
  }
}

t.test('a verb is found wherever options stand', async (t) => {
  t.equal(found('query Charge'), 'query | Charge');
  t.equal(found('--json query Charge'), 'query | --json Charge');
  t.equal(found('--docs build query Charge'), 'query | --docs build Charge');
  t.equal(found('--docs=build query Charge'), 'query | --docs=build Charge');
});

t.test('a verb of two words is one verb, with options between them or not', async (t) => {
  t.equal(found('vfs read /docs'), 'vfs read | /docs');
  t.equal(found('vfs --json read /docs'), 'vfs read | --json /docs');
  t.equal(found('search read'), 'search | read');
});

t.test('the first words of a verb may be short for it, where no longer verb is meant', async (t) => {
  t.equal(found('context memory'), 'context memory list | ');
  t.equal(found('context memory fact --json'), 'context memory list | fact --json');
  t.equal(found('context memory list fact'), 'context memory list | fact');
  t.equal(found('context memory add fact/x'), 'context memory add | fact/x');
});

t.test('what is no verb is told apart: groups, and words that mean nothing', async (t) => {
  t.equal(found('graph'), 'group: graph');
  t.equal(found('vfs'), 'group: vfs');
  t.equal(found('vfs frob'), 'group: vfs frob');
  t.equal(found('context'), 'group: context');
  t.equal(found('frob'), 'unknown: frob');
  t.equal(found('--json'), 'nothing');
  t.equal(found('-- mount'), 'nothing');
});
