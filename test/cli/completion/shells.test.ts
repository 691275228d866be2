import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { completionScript, SHELLS, type Shell } from '../../../src/cli/completion/scripts.ts';
import { completionTable, KNOWN_ARGUMENTS } from '../../../src/cli/completion/table.ts';
import { COMMANDS } from '../../../src/cli/registry.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { kgraphfs, MAIN } from '../run-cli.ts';

const home = temporaryFolder(t);
const rows = completionTable(COMMANDS);
const scripts = new Map(SHELLS.map((shell) => [shell, completionScript(shell, rows)]));
const project = ['--docs', 'docs/sample', '--state', join(home, 'state')];
/** A folder of programs in which there is ours alone, and one without any. */
const [bin, none] = [join(home, 'bin'), join(home, 'none')];
mkdirSync(bin);
mkdirSync(none);
writeFileSync(join(bin, 'kgraphfs'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
chmodSync(join(bin, 'kgraphfs'), 0o755);
for (const [shell, script] of scripts) writeFileSync(join(home, shell), script);
t.equal(kgraphfs(['context', 'memory', 'add', 'fact/refunds', 'Refunds take 5 days', ...project]).status, 0);

/** Docs of somebody who wants a shell to run something. */
const hostile = ['--docs', join(home, 'hostile'), '--state', join(home, 'hostile-state')];
const HOSTILE_NAME = 'Evil $(touch pwned) "y" ; z';
mkdirSync(join(home, 'hostile'));
writeFileSync(join(home, 'hostile/a.md'), `# ${HOSTILE_NAME}\n`);
t.equal(kgraphfs(['build', ...hostile]).status, 0);

function needs(shell: Shell | 'script'): { skip: string | false } {
  const isThere = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, shell)));
  return { skip: isThere ? false : `${shell} is not installed` };
}

/** What bash offers for words of which the last one is being typed. */
function inBash(lines: readonly (readonly string[])[], path: string): string[][] {
  const calls = lines.map((words) => `complete_ ${words.map((word) => `'${word}'`).join(' ')}`);
  const script = `source '${home}/bash'
    complete_() { COMP_WORDS=(kgraphfs "$@"); COMP_CWORD=$#; COMPREPLY=(); _kgraphfs kgraphfs; printf '%s\\n' "\${COMPREPLY[@]}" $'\\x1e'; }
    ${calls.join('\n')}`;
  const { stdout, stderr } = spawnSync('/bin/bash', ['--norc', '-c', script], {
    env: { PATH: path, HOME: home },
    encoding: 'utf8',
  });
  t.equal(stderr, '');
  return stdout
    .split('\x1e\n')
    .slice(0, -1)
    .map((part) => part.split('\n').filter((line) => line !== ''));
}

/** Whole lines typed at a terminal of a shell, with what it made of them. */
function typedIn(shell: 'bash' | 'zsh', setUp: string, lines: readonly string[]): string[] {
  const input = [
    'PS1=; kgraphfs() { if [[ $1 == __names ]]; then command kgraphfs "$@"; else printf \'RAN<%s>\' "$@"; echo; fi; }',
    setUp,
    ...lines.map((line) => `kgraphfs ${line}`),
    'exit\n',
  ].join('\n');
  const command = shell === 'bash' ? 'bash --norc --noprofile -i' : 'zsh -f -i';
  const output = execFileSync('script', ['-qec', command, '/dev/null'], {
    input,
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, HOME: home, TERM: 'dumb', HISTFILE: '' },
    encoding: 'utf8',
    timeout: 120_000,
  });
  return [...output.matchAll(/^(RAN<[^\r\n]*>)\r*$/gm)].map(([, ran = '']) => ran.replaceAll('RAN', ''));
}

t.test('each argument that is completed is one of a command', async (t) => {
  const known = COMMANDS.flatMap(({ verb, positionals }) =>
    Object.keys(positionals).map((name) => `${verb} ${name}`),
  );
  for (const argument of KNOWN_ARGUMENTS) t.ok(known.includes(argument), argument);
});

t.test('bash completes verbs, options and their values without starting anything', async (t) => {
  const [verbs, members, choices, joined, flags, after, types] = inBash(
    [
      ['unm'],
      ['context', 'memory', ''],
      ['mount', '--driver', ''],
      ['mount', '--driver', '=', 'li'],
      ['mount', '--fo'],
      ['--docs', 'mount', 'quer'],
      ['nodes', 'E'],
    ],
    none,
  );
  t.same(verbs, ['unmount']);
  t.ok(members?.includes('restore'));
  t.same(choices, ['linux', 'fuse-native']);
  t.same(joined, ['linux']);
  t.same(flags, ['--foreground']);
  t.same(after, ['query']);
  t.same(types, ['Endpoint', 'Event']);
});

t.test('bash completes names of nodes and of memory, as the shell wants them', async (t) => {
  const [nodes, spaced, open, memories, sessions] = inBash(
    [
      [...project, 'query', 'invoice.f'],
      [...project, 'connect', 'Charge', 'POST\\ /v1/charges/\\{id\\}/c'],
      [...project, 'inspect', '"POST /v1/charges/{id}/c'],
      [...project, 'context', 'memory', 'show', ''],
      [...project, 'session', 'resume', ''],
    ],
    `${bin}:${process.env['PATH']}`,
  );
  t.same(nodes, ['invoice.finalised']);
  t.same(spaced, ['POST\\ /v1/charges/\\{id\\}/capture']);
  t.same(open, ['POST /v1/charges/{id}/capture']);
  t.same(memories, ['fact/refunds']);
  t.same(sessions, []);
});

t.test('a tab at a terminal of bash', needs('script'), async (t) => {
  t.same(
    typedIn('bash', `source '${home}/bash'`, [
      'context mem\tsho\tx',
      'mount --driver=fus\tx',
      'lint docs/sample/changel\t',
      `${project.join(' ')} query invoice.fin\t`,
      `${hostile.join(' ')} query Evil\t`,
    ]),
    [
      '<context><memory><show><x>',
      '<mount><--driver=fuse-native><x>',
      '<lint><docs/sample/changelog.md>',
      `<${project.join('><')}><query><invoice.finalised>`,
      `<${hostile.join('><')}><query><${HOSTILE_NAME}>`,
    ],
  );
});

t.test('a tab at a terminal of zsh', needs('zsh'), async (t) => {
  t.same(
    typedIn('zsh', `autoload -Uz compinit; compinit -u -d '${home}/dump'; source '${home}/zsh'`, [
      'context mem\tsho\tx',
      'mount --driver=fus\tx',
      'lint docs/sample/changel\t',
      `${project.join(' ')} query POST\\ /v1/charges/\\{id\\}/c\t`,
      `${hostile.join(' ')} query Evil\t`,
    ]),
    [
      '<context><memory><show><x>',
      '<mount><--driver=fuse-native><x>',
      '<lint><docs/sample/changelog.md>',
      `<${project.join('><')}><query><POST /v1/charges/{id}/capture>`,
      `<${hostile.join('><')}><query><${HOSTILE_NAME}>`,
    ],
  );
});

t.test('fish completes with what each word is for', needs('fish'), async (t) => {
  const lines = [
    'unm',
    'mount --driver=li',
    'mount --fo',
    'lint docs/sample/changel',
    `${project.join(' ')} query invoice.f`,
    `${project.join(' ')} context memory show fa`,
  ];
  const script = `source '${home}/fish'; ${lines.map((line) => `complete -C 'kgraphfs ${line}'`).join(';')}`;
  const output = execFileSync('fish', ['-N', '-c', script], {
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, HOME: home },
    encoding: 'utf8',
  });
  t.same(output.split('\n'), [
    'unmount\tremove a mount and end its daemon',
    '--driver=linux',
    '--foreground\tserve in this process until a signal or an unmount ends it',
    'docs/sample/changelog.md',
    'invoice.finalised',
    'fact/refunds',
    '',
  ]);
});
