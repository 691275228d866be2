import { UserError } from '../../core/errors.ts';
import { printable } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { CONVERSATION_OPTIONS, openedConversation } from '../conversation.ts';
import { findPlace, keepUpToDate, withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';

const VERB = 'chat';
const NO_MODEL = 'chat needs a language model';
const WITHOUT = '"kgraphfs ask --no-llm" answers a question without one';

export const chat = defineCommand({
  verb: VERB,
  summary: 'a conversation with a language model over the docs',
  details:
    'Each question gets a context and tools, as in ask. Answers appear as they are written. /tools, /sources, /context and /memory show\n' +
    'what the model can do, where the last answer comes from, what it was given, and what was learnt; /help shows all. Ctrl-C stops an\n' +
    'answer and not the chat.\n' +
    'Older turns go to memory before they fill the window of the model. Everything is in the history: context history --replay.\n' +
    'Questions may come from a pipe, one a line; the exit status is 1 if one of them has no answer. --json prints a line of JSON for\n' +
    'each answer.',
  positionals: {},
  options: {
    ...CONVERSATION_OPTIONS,
    resume: {
      type: 'text',
      value: 'CONVERSATION',
      summary: 'continue a past conversation: its id, the id of a session, or last',
    },
  },
  example: 'kgraphfs chat --resume last --docs docs/sample',
  run: (args, io) =>
    withProject(args, io, async (app) => {
      const { chosenModel } = await import('../language-model.ts');
      const { settings, lack = '' } = await chosenModel(app.settings, args, io);
      if (settings === undefined) throw new UserError(`${NO_MODEL}: ${lack}; ${WITHOUT}`);
      const [{ Chat }, { openLines }, { pastConversation }] = await Promise.all([
        import('../chat/chat.ts'),
        import('../chat/open-lines.ts'),
        import('../chat/past.ts'),
      ]);
      const { history } = app.workspace.store;
      const past = args.resume === undefined ? undefined : pastConversation(args.resume, history);
      const opened = { app, settings, kind: 'chat' } as const;
      const conversation = await openedConversation(args, io, { ...opened, past });
      const place = await findPlace(args, io);
      const { lines, isInteractive } = openLines(io, history);
      if (isInteractive) {
        const turns = past === undefined ? '' : `, ${past.earlier.turns.length} turns before`;
        io.out.write(
          `${io.out.style('dim', printable(`${conversation.model} at ${settings.baseUrl}; ${conversation.id}${turns}; /help shows what else there is`))}\n`,
        );
      }
      return new Chat({
        io,
        app,
        lines,
        isInteractive,
        isJson: args.json === true,
        conversation,
        begin: () => openedConversation(args, io, opened),
        async freshen() {
          await keepUpToDate(place, io);
          app.refresh();
        },
        provenance: (question) => provenanceOf(VERB, { ...args, question }),
      }).run();
    }),
});
