import type { Turn } from '../support/shell-agent.ts';

/** Lines of an output that the page shows. */
const SHOWN_LINES = 12;

/** `docs/shell-agent.md`: what an agent did that answered a question. */
export function shellAgentPage(question: string, turns: readonly Turn[]): string {
  const parts = turns.map(
    ({ thought, command, output }) => `${thought}\n\n\`\`\`text\n$ ${command}\n${shortened(output)}\`\`\`\n`,
  );
  return `# A shell agent at work

<!-- Made by test/docs/shell-agent.test.ts: KGRAPHFS_WRITE_DOCS=1 has it write this page. -->

An agent that has nothing but \`cat\`, \`ls\`, \`grep\` and \`echo\`, in the mount of the sample docs, is asked:

> ${question}

It knows how to read what a command prints, and nothing of the docs: each command is made of the question, of a recipe of \`AGENTS.md\`, or of
what was read before (\`test/support/shell-agent.ts\`). This is all that it did.

${parts.join('\n')}`;
}

function shortened(output: string): string {
  const lines = output
    .trimEnd()
    .split('\n')
    .filter((line, _index, all) => all.length > 1 || line !== '');
  const left = lines.length - SHOWN_LINES;
  const shown = left > 1 ? [...lines.slice(0, SHOWN_LINES), `… ${left} more lines`] : lines;
  return shown.map((line) => `${line}\n`).join('');
}
