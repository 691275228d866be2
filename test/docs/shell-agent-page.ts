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

This page shows how an agent with only a shell finds an answer in a mount. The agent has nothing but \`cat\`, \`ls\`, \`grep\` and \`echo\`. In the mount of the sample docs, it is asked:

> ${question}

The agent knows how to read what a command prints, and nothing about the docs. It makes each command from the question, from a recipe in \`AGENTS.md\`, or from
what it read before (\`test/support/shell-agent.ts\`). This is everything that it did.

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
