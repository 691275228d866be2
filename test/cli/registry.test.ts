import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import t from 'tap';
import { findCommand } from '../../src/cli/find-command.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { cliReference } from '../../src/cli/reference.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { DRIVER_NAMES } from '../../src/config/schema.ts';
import { EXPORT_FORMATS } from '../../src/graph/export.ts';
import { shellWords } from './shell-words.ts';

t.test('no verb is there twice', async (t) => {
  const verbs = COMMANDS.map(({ verb }) => verb);
  t.same(verbs, [...new Set(verbs)]);
});

t.test('each example is a command line of its command', async (t) => {
  for (const { verb, example } of COMMANDS) {
    const [program, ...tokens] = shellWords(example);
    t.equal(program, 'kgraphfs');
    const found = findCommand(tokens, COMMANDS);
    if (found.kind !== 'command') throw new Error(`${example} is no command`);
    t.equal(found.command.verb, verb);
    await parseArguments(found.command, found.rest);
  }
});

t.test('choices are those of the parts that they choose from', async (t) => {
  const choicesOf = (verb: string, option: string) => {
    const spec = COMMANDS.find((command) => command.verb === verb)?.options[option];
    return spec?.type === 'text' ? spec.choices : undefined;
  };
  t.same(choicesOf('mount', 'driver'), DRIVER_NAMES);
  t.same(choicesOf('export', 'format'), EXPORT_FORMATS);
});

t.test('docs/cli.md says what the commands are (made by scripts/generate-cli-docs.ts)', async (t) => {
  t.equal(readFileSync('docs/cli.md', 'utf8'), cliReference(COMMANDS));
});

t.test('help and refusals are there without loading zod, the index or a driver', async (t) => {
  const { files, packages } = staticImports('src/cli/run.ts');
  t.same(packages, ['fastest-levenshtein']);
  t.same(
    files.filter(
      (file) => !/^src\/(?:(?:cli|config|core|disk|settings|text)\/|state\/noted-roots\.)/.test(file),
    ),
    [],
  );
});

/** All that is loaded with a file, whatever is run. */
function staticImports(entry: string): { files: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\s+(?!type\s)[^'";]*?from\s+'([^']+)'/gm,
    );
    for (const [, target = ''] of imports) {
      if (target.startsWith('.')) visit(relative('.', resolve(dirname(file), target)));
      else if (!target.startsWith('node:')) packages.add(target);
    }
  };
  visit(join(entry));
  return { files: [...files], packages: [...packages] };
}
