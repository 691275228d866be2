import { openAiChat } from '../../src/agent/openai-chat.ts';
import { type AskOptions, askDocuments } from '../../src/model-extraction/ask-documents.ts';
import { startChatServer } from '../support/chat-server.ts';
import type { Teardown } from '../support/temporary.ts';
import { answered } from './asked-document.ts';

/** An answer that finds no facts. */
export const NOTHING = answered({});

/** Documents `0.md` … that are to be asked about, and what is kept of the answers. */
export async function subject(t: Teardown, count: number) {
  const server = await startChatServer();
  t.teardown(() => server.close());
  server.otherwise(() => NOTHING);
  const kept = new Map<string, number[]>();
  const ask = (options: Partial<AskOptions> = {}) =>
    askDocuments({
      documents: Array.from({ length: count }, (_, index) => ({
        path: `${index}.md`,
        sha256: `hash-${index}`,
      })),
      textOf: ({ path }) => `# ${path}\n\nText.\n`,
      model: openAiChat({
        baseUrl: server.url,
        apiKey: 'sk-secret',
        model: 'a/model',
        attempts: 1,
        timeoutMs: 20_000,
      }),
      keeper: {
        answeredPieces: ({ sha256 }) => kept.get(sha256) ?? [],
        claim: () => true,
        renewClaims: () => {},
        release: () => {},
        put: ({ sha256 }, { piece }) => kept.set(sha256, [...(kept.get(sha256) ?? []), piece]),
      },
      limits: {},
      concurrency: 4,
      signal: new AbortController().signal,
      nowMs: () => 1,
      firstPauseMs: 1,
      ...options,
    });
  return { server, kept, ask };
}
