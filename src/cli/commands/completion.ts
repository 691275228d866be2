import { either } from '../../text/either.ts';
import { type Command, defineCommand } from '../command.ts';
import { didYouMean } from '../near-names.ts';
import { usageError } from '../usage-error.ts';

/** @param commands all commands, including this one */
export function completionOf(commands: () => readonly Command[]): Command {
  return defineCommand({
    verb: 'completion',
    summary: 'a script that makes bash, zsh or fish complete command lines of kgraphfs',
    details:
      'In ~/.bashrc: source <(kgraphfs completion bash). In ~/.zshrc, after compinit: source <(kgraphfs completion zsh).\n' +
      'In ~/.config/fish/config.fish: kgraphfs completion fish | source. The script has verbs, options, their values and files. It asks\n' +
      'for names of nodes, memories and sessions as you type, in the project of the current folder or of --docs.',
    positionals: { shell: { summary: 'bash, zsh or fish' } },
    options: {},
    example: 'kgraphfs completion bash',
    async run({ shell }, io) {
      const [{ completionScript, SHELLS }, { completionTable }] = await Promise.all([
        import('../completion/scripts.ts'),
        import('../completion/table.ts'),
      ]);
      const known = SHELLS.find((one) => one === shell);
      if (known === undefined)
        throw usageError(
          `completion takes ${either(SHELLS)}, not "${shell}"${didYouMean(shell, SHELLS)}`,
          'completion',
        );
      io.out.write(completionScript(known, completionTable(commands())));
      return 0;
    },
  });
}
