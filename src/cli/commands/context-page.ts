import { placeText } from '../../core/memory-entry.ts';
import { CONVERSATION_ID } from '../../settings/context.ts';
import { counted } from '../../text/counted.ts';
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

const VERB = 'context page';
const DEFAULT_KEPT_TURNS = 2;

export const contextPage = defineCommand({
  verb: VERB,
  summary: 'move the older turns of a long chat to memory, where search finds them',
  details:
    'Turns beyond a share of the window (context.conversationShare in the config, 0.5) move to episodic memory, whole. A few turns each\n' +
    'make one entry with a summary: conversations/<id>/<first>-<last>. Instructions and the last turns stay, a tool call stays with its\n' +
    'answer, and a message says what was moved. context recall brings turns back. Paging again changes nothing, both with the same chat\n' +
    'and with the chat that was printed.',
  positionals: {},
  options: {
    history: HISTORY_OPTION,
    window: {
      type: 'count',
      value: 'N',
      min: 1,
      summary: 'how many tokens fit into the window of the model',
    },
    conversation: {
      type: 'text',
      value: 'ID',
      summary:
        'letters, digits, dots, underscores, hyphens (default: what the chat was paged as, else by how it began)',
    },
    keep: {
      type: 'count',
      value: 'N',
      min: 0,
      default: DEFAULT_KEPT_TURNS,
      summary: 'the last N turns always stay',
    },
    output: OUTPUT_OPTION,
  },
  example: 'kgraphfs context page --history chat.json --window 8000 --docs docs/sample',
  async run(args, io) {
    const { history, window, conversation, keep, output } = args;
    if (history === undefined)
      throw usageError(`${VERB} needs --history FILE, or - for standard input`, VERB);
    if (window === undefined)
      throw usageError(
        `${VERB} needs --window N, the number of tokens that fit into the model's window`,
        VERB,
      );
    if (conversation !== undefined && !CONVERSATION_ID.test(conversation)) {
      throw usageError(
        `--conversation "${conversation}": an id has letters, digits, dots, underscores and hyphens`,
        VERB,
      );
    }
    const messages = await readChat(history, io);
    const context = callerContext(io);
    const provenance = provenanceOf(VERB, args);
    return withProject(args, io, async (app) => {
      const { openContextLoop } = await import('../../app/contexts/context-loop.ts');
      const loop = openContextLoop(app);
      const share = app.settings.context.conversationShare;
      const request = { windowTokens: window, share, keepTurns: keep, conversation };
      const paged = await loop.page(messages, messageOf, request, context);
      loop.close();
      if (output !== undefined || !args.json) await writeChat(paged.messages, output, io);
      if (args.json) {
        writeJson(io.out, {
          conversation: paged.conversation,
          paged_turns: paged.pagedTurns,
          written: paged.written.map(placeText),
          tokens_before: paged.tokensBefore,
          tokens: paged.tokensAfter,
          limit_tokens: Math.floor(window * share),
          within_limit: paged.isWithin,
          ...(output === undefined ? { messages: await messagesView(paged.messages) } : {}),
          ...provenance(app.graph.revision()),
        });
      } else {
        const over = paged.isWithin
          ? ''
          : ', more than their share of the window: the last turns alone are that long';
        io.err.write(
          `${paged.conversation}: ${counted(paged.pagedTurns, 'turn')} in memory, ${counted(paged.written.length, 'new entry', 'new entries')}; ${paged.tokensAfter} tokens stay${over}\n`,
        );
      }
      return 0;
    });
  },
});
