import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openAnswers } from '../app/open-answers.ts';
import { asksForEmbeddings } from '../config/embeddings-asked.ts';
import { indexKeyFrom } from '../ingest/index-key.ts';
import { areAsSeen } from '../ingest/seen-docs.ts';
import { askSources } from './ask-sources.ts';
import { callerContext } from './caller.ts';
import { givenQuestion, isTyped } from './given-question.ts';
import type { Io } from './io.ts';
import { daemonsOf, findPlace, howToRead } from './project.ts';
import { provenanceOf } from './provenance.ts';
import { showingTakingIn } from './search/taking-in.ts';

interface Asked {
  readonly words: readonly string[];
  readonly docs: readonly string[];
  readonly state: string | undefined;
  readonly config: string | undefined;
  readonly json: boolean;
}

/**
 * Answers `ask --no-llm` if index and search have all that is needed.
 * @param io if the question comes by standard input, that is read here, and the command has to be able to read it again
 * @returns the exit status; undefined, with nothing written, if more is needed or something is wrong: the command itself deals with that
 */
export async function askQuickly(tokens: readonly string[], io: Io): Promise<number | undefined> {
  const asked = askedIn(tokens);
  if (asked === undefined) return undefined;
  try {
    return await answered(asked, io);
  } catch {
    // The command has the same error, and reports it.
    return undefined;
  }
}

async function answered(asked: Asked, io: Io): Promise<number | undefined> {
  const { words, json, ...flags } = asked;
  // What a person types cannot be read a second time.
  if (words.join() === '-' && isTyped(io)) return undefined;
  const question = await givenQuestion(words, io);
  if (question === '') return undefined;
  const provenance = provenanceOf('ask', { question: [question], llm: false });
  const place = await findPlace({ ...flags, json }, io);
  // The texts of modules may have to be fetched first.
  if (place.settings.selection.modules !== undefined) return undefined;
  if (asksForEmbeddings(place.settings, {}, io.environment.variables)) return undefined;
  const how = await howToRead(place);
  const isServed = (await daemonsOf(place, io)).length > 0;
  const { seenFile, indexFile, searchFile } = place.state;
  const needed = [indexFile, searchFile, ...(isServed ? [] : [seenFile])];
  if (!needed.every((file) => existsSync(file))) return undefined;
  const context = callerContext(io);
  const { caller } = context;
  const answers = openAnswers({
    settings: place.settings,
    excluded: how.excluded,
    actor: caller?.name ?? '',
    session: caller?.session,
  });
  try {
    // The command has to report that.
    if (answers.isOnlyRead) return undefined;
    if (!isServed && !areAsSeen(seenFile, indexKeyFrom(how)(answers.index, answers))) return undefined;
    const said = await showingTakingIn(io.err, answers, () =>
      askSources({ question, ...answers, context, isJson: json, provenance }),
    );
    if (!said.isAnswer || answers.wantedAllText()) return undefined;
    said.write(io);
    return 0;
  } finally {
    answers.close();
  }
}

/** Recognises the usual ways to write the command without loading the parser of all of them; undefined for any other. */
function askedIn(tokens: readonly string[]): Asked | undefined {
  const parsed = parsedOptions(tokens);
  if (parsed === undefined) return undefined;
  const { docs = [], state: states = [], config: configs = [], json = false } = parsed.values;
  if (parsed.values['no-llm'] !== true || states.length > 1 || configs.length > 1) return undefined;
  return { words: parsed.positionals, docs, state: states[0], config: configs[0], json };
}

function parsedOptions(tokens: readonly string[]) {
  const values = { type: 'string', multiple: true } as const;
  const options = { docs: values, state: values, config: values } as const;
  const switches = { 'no-llm': { type: 'boolean' }, json: { type: 'boolean' } } as const;
  try {
    return parseArgs({ args: [...tokens], options: { ...options, ...switches }, allowPositionals: true });
  } catch {
    // Another option, or a mistake, which the command reports.
    return undefined;
  }
}
