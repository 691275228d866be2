import type { Command } from './command.ts';
import type { Io } from './io.ts';

/**
 * Commands that have to be done before anybody notices a wait. Loading all commands takes longer than these run, so they are found without
 * loading the others.
 */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['mcp', async () => (await import('./commands/mcp.ts')).mcp],
  ['inspect', async () => (await import('./commands/inspect.ts')).inspect],
]);

/** Words by which a command line that begins with the verb of a quick command may mean another command. */
const OTHERS: ReadonlySet<string> = new Set(['--help', '-h', 'install', 'uninstall']);

/**
 * Runs a command line that begins with the verb of a quick command and asks for no help.
 * @returns the exit status; undefined for any other command line
 */
export async function runQuickly(
  [verb = '', ...rest]: readonly string[],
  io: Io,
): Promise<number | undefined> {
  if (verb === 'ask' && rest.includes('--no-llm')) {
    const [{ askQuickly }, { withRepeatableInput }] = await Promise.all([
      import('./quick-ask.ts'),
      import('./given-question.ts'),
    ]);
    const repeatable = withRepeatableInput(io);
    const status = await askQuickly(rest, repeatable);
    return status ?? (await import('./run.ts')).runCommandLine([verb, ...rest], repeatable);
  }
  const load = COMMANDS.get(verb);
  if (load === undefined || rest.some((word) => OTHERS.has(word))) return undefined;
  try {
    const [command, { parseArguments }] = await Promise.all([load(), import('./parse-arguments.ts')]);
    return await command.run(await parseArguments(command, rest), io);
  } catch (error) {
    const { reportError } = await import('./report-error.ts');
    return reportError(error, io);
  }
}
