import type { WrittenMessage } from '../../context/message-array.ts';
import type { ContextUpdate } from '../../context/updater/update-context.ts';
import { MAX_BUDGET_TOKENS, UPDATE_MODES } from '../../settings/context.ts';
import { printableName } from '../../text/printable.ts';
import { withCommas } from '../../text/with-commas.ts';
import { callerContext } from '../caller.ts';
import {
  HISTORY_OPTION,
  messageOf,
  messagesView,
  OUTPUT_OPTION,
  readChat,
  writeChat,
} from '../chat-history.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'context update';
const MAX_SHOWN_CHANGES = 5;

export const contextUpdate = defineCommand({
  verb: VERB,
  summary: 'put a context for a question into a chat, or bring an existing one up to date',
  details:
    'The context is a system message after the instructions at the beginning, between marks of its own. Every other message stays the\n' +
    'same, byte for byte. The modes are:\n' +
    'static: a context that is there stays as it is.\n' +
    'incremental: what the question needs is added, and what still holds is kept as far as it fits.\n' +
    'adaptive: the context is built anew for another question, and when documents, memory or scratchpad files that it rests on have\n' +
    'changed.\n' +
    'Standard error says what changed. Each injection is in context/history with its manifest. Updating again changes nothing.',
  positionals: {},
  options: {
    history: HISTORY_OPTION,
    question: {
      type: 'text',
      value: 'TEXT',
      summary: "the question to answer (default: the last user's message)",
    },
    mode: {
      type: 'text',
      value: 'MODE',
      choices: UPDATE_MODES,
      default: 'adaptive',
      summary: 'what becomes of an existing context',
    },
    budget: {
      type: 'count',
      value: 'N',
      min: 1,
      summary: `at most N tokens for the message, up to ${withCommas(MAX_BUDGET_TOKENS)} (default: the config, or 8,000)`,
    },
    output: OUTPUT_OPTION,
  },
  example:
    'kgraphfs context update --history chat.json --question "How long are idempotency keys kept?" --docs docs/sample',
  async run(args, io) {
    const { history, mode, output } = args;
    if (history === undefined)
      throw usageError(`${VERB} needs --history FILE, or - for standard input`, VERB);
    const messages = await readChat(history, io);
    const question = args.question ?? (await lastQuestion(messages));
    if (question.trim() === '') throw usageError(`${VERB} needs a --question, or a chat with one`, VERB);
    const context = callerContext(io);
    const provenance = provenanceOf(VERB, args);
    return withProject(args, io, async (app) => {
      const { openContextLoop } = await import('../../app/contexts/context-loop.ts');
      const loop = openContextLoop(app);
      const budgetTokens = args.budget ?? app.settings.context.budgetTokens;
      const update = await loop.update(messages, messageOf, { question, mode, budgetTokens }, context);
      loop.close();
      if (output !== undefined || !args.json) await writeChat(update.messages, output, io);
      if (args.json) {
        const { manifestJson } = await import('../../context/manifest.ts');
        writeJson(io.out, {
          question,
          mode,
          action: update.action,
          tokens: update.tokens,
          budget_tokens: budgetTokens,
          changes: update.changes,
          ...(update.manifest === undefined ? {} : { manifest: manifestJson(update.manifest) }),
          ...(output === undefined ? { messages: await messagesView(update.messages) } : {}),
          ...provenance(app.graph.revision()),
        });
      } else io.err.write(`${told(update, budgetTokens)}\n`);
      return 0;
    });
  },
});

async function lastQuestion(messages: readonly WrittenMessage[]): Promise<string> {
  const { textOfMessage } = await import('../../context/messages.ts');
  const last = messages.findLast(({ message }) => message.role === 'user');
  return last === undefined ? '' : textOfMessage(last.message);
}

function told({ action, tokens, changes, manifest }: ContextUpdate<unknown>, budgetTokens: number): string {
  const isTooMuch = manifest?.leftOut.some(({ reason }) => reason === 'budget') ?? false;
  const why = isTooMuch
    ? `nothing that was found fits into ${budgetTokens} tokens`
    : 'nothing was found for a context';
  const what =
    action === 'none' ? why : action === 'removed' ? `context removed, ${why}` : `context ${action}`;
  const size = tokens === 0 ? '' : `: ${tokens} of ${budgetTokens} tokens`;
  const shown = changes
    .slice(0, MAX_SHOWN_CHANGES)
    .map(({ path, change }) => `${printableName(path)} ${change}`);
  const more = changes.length - shown.length;
  const since = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `${what}${size}${since === '' ? '' : `; since then: ${since}`}`;
}
