import t from 'tap';
import { type AnyArguments, defineCommand } from '../../src/cli/command.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { UserError } from '../../src/core/errors.ts';

const subject = defineCommand({
  verb: 'paint',
  summary: 'a command to test with',
  positionals: { wall: { summary: '' }, colour: { summary: '', count: 'optional' } },
  options: {
    coatCount: { type: 'count', value: 'N', min: 1, default: 2, summary: '' },
    finish: { type: 'text', value: 'FINISH', choices: ['matt', 'gloss'], summary: '' },
    from: { type: 'text', value: 'FILE', summary: '' },
    tags: { type: 'list', value: 'TAG', summary: '' },
    dry: { type: 'boolean', short: 'd', summary: '' },
  },
  example: 'kgraphfs paint wall',
  run: async () => 0,
});

const many = defineCommand({
  verb: 'say',
  summary: 'a command to test with',
  positionals: { words: { summary: '', count: 'many' } },
  options: {},
  example: 'kgraphfs say hello',
  run: async () => 0,
});

const ask = defineCommand({
  verb: 'ask',
  summary: 'a command to test with',
  positionals: {
    question: { summary: '', isFreeText: true },
    place: { summary: '', count: 'optional' },
  },
  options: {
    limit: { type: 'count', value: 'N', min: 1, summary: '' },
    dry: { type: 'boolean', short: 'd', summary: '' },
  },
  example: 'kgraphfs ask why',
  run: async () => 0,
});

function parse(...tokens: string[]): Promise<AnyArguments> {
  return parseArguments(subject, tokens);
}

async function refusal(...tokens: string[]): Promise<string> {
  try {
    await parse(...tokens);
  } catch (error) {
    if (error instanceof UserError && error.exitStatus === 2) return error.message.split('\n')[0] ?? '';
    throw error;
  }
  return 'accepted';
}

t.test('arguments come under their names, with defaults where nothing was said', async (t) => {
  t.same(await parse('north'), {
    wall: 'north',
    colour: undefined,
    coatCount: 2,
    finish: undefined,
    from: undefined,
    tags: [],
    dry: undefined,
    docs: [],
    state: undefined,
    config: undefined,
    json: undefined,
  });
  t.match(await parse('north', 'red', '--coat-count', '3', '--finish=gloss', '-d', '--docs', 'd', '--json'), {
    colour: 'red',
    coatCount: 3,
    finish: 'gloss',
    dry: true,
    docs: ['d'],
    json: true,
  });
});

t.test('a switch can be turned off, and the last word counts', async (t) => {
  t.match(await parse('north', '--no-dry'), { dry: false });
  t.match(await parse('north', '--from', 'a', '--from', 'b', '--dry', '--no-dry'), { from: 'b', dry: false });
});

t.test('two config files are refused: who names two means both', async (t) => {
  t.match(await refusal('north', '--config', 'a', '--config', 'b'), '--config takes one ');
  t.match(await refusal('north', '--config', 'a', '--config=b'), 'not both "a" and "b"');
  t.equal(await refusal('north', '--config', 'a', '--config', 'a'), 'accepted');
  t.equal(
    await refusal('north', '--state', 'a', '--state', 'b'),
    'accepted',
    'of an alias, it may be another one',
  );
});

t.test('a list is given at once or bit by bit', async (t) => {
  t.match(await parse('north', '--tags', 'a, b', '--tags', '7'), { tags: ['a', 'b', '7'] });
  t.match(await parse('north', '--tags=a,,b'), { tags: ['a', 'b'] });
  t.equal(await refusal('north', '--tags='), '--tags needs a value');
});

t.test('text stays text: numbers, a dash alone, and all that follows two dashes', async (t) => {
  t.match(await parse('007', '0x10', '--from', '1e3'), { wall: '007', colour: '0x10', from: '1e3' });
  t.match(await parse('north', '--from', '-'), { from: '-' });
  t.match(await parse('--', '--north', '-d'), { wall: '--north', colour: '-d', dry: undefined });
});

t.test('free text may begin with a dash, in any place among what is an option', async (t) => {
  const asked = async (...tokens: string[]) => {
    const { question, place, limit, dry } = await parseArguments(ask, tokens);
    return [question, place, limit, dry];
  };
  t.same(await asked('why', '-d'), ['why', undefined, undefined, true]);
  t.same(await asked('-dry run'), ['-dry run', undefined, undefined, undefined]);
  t.same(await asked('-x', '-d', '--limit', '3'), ['-x', undefined, 3, true]);
  t.same(await asked('--limit', '3', '-x=1', 'here'), ['here', '-x=1', 3, undefined], 'words go before it');
  t.same(await asked('--limit=3', '--no dry run'), ['--no dry run', undefined, 3, undefined]);
  t.same(await asked('-x', '--', '--limit'), ['-x', '--limit', undefined, undefined]);
  t.same(await asked('--', '-x', '-d'), ['-x', '-d', undefined, undefined]);
  t.same(await asked('-1'), ['-1', undefined, undefined, undefined]);
  await t.rejects(asked('why', '--limti'), {
    message: /^unknown option --limti of ask; did you mean --limit\?/,
  });
  await t.rejects(asked('--limit', '-x', '3'), { message: /^--limit needs a value\n/ });
  await t.rejects(asked('why', 'here', 'and', 'there'), { message: /^unexpected argument "and"\n/ });
});

t.test('an empty path is none, nor is an empty name, and an empty text is a text', async (t) => {
  const positionals = {
    text: { summary: '' },
    name: { summary: '', isName: true },
    paths: { summary: '', count: 'many', isPath: true },
  } as const;
  const copy = defineCommand({ ...many, verb: 'copy', positionals });
  const message = async (...tokens: string[]) =>
    parseArguments(copy, tokens).then(
      () => 'accepted',
      (error: unknown) => (error instanceof Error ? error.message.split('\n')[0] : error),
    );
  t.equal(await message('', 'name', 'a', 'b'), 'accepted');
  t.equal(await message('', '', 'a'), '<name> of copy is empty');
  t.equal(await message('', 'name', 'a', ''), '<paths> of copy is empty: it has to be a path');
  const to = defineCommand({ ...many, verb: 'to', positionals: { path: { summary: '', isPath: true } } });
  await t.rejects(parseArguments(to, ['']), { message: /^<path> of to is empty/ });
});

t.test('free text of more than one word is shown in quotes', async (t) => {
  const say = { ...ask, positionals: { question: { summary: '', isFreeText: true } } };
  await t.rejects(parseArguments(say, ['why', 'is', 'it']), {
    message: /^unexpected argument "is"; if it belongs to <question>, put that in quotes: "why is it"\n/,
  });
});

t.test('the last argument may take many words', async (t) => {
  t.match(await parseArguments(many, ['a', '1', 'c']), { words: ['a', '1', 'c'] });
  t.match(await parseArguments(many, []), { words: { length: 0 } });
});

t.test('an unknown option is named as it was typed, with the one that may be meant', async (t) => {
  t.equal(await refusal('north', '--frobnicate'), 'unknown option --frobnicate of paint');
  t.equal(
    await refusal('north', '--finsh', 'matt'),
    'unknown option --finsh of paint; did you mean --finish?',
  );
  t.equal(await refusal('north', '--nofoo'), 'unknown option --nofoo of paint');
  t.equal(await refusal('north', '--no-llm'), 'unknown option --no-llm of paint');
  t.equal(await refusal('north', '--no-jsom'), 'unknown option --no-jsom of paint; did you mean --no-json?');
  t.equal(await refusal('north', '-x'), 'unknown option -x of paint');
  t.equal(
    await refusal('north', '--coatCount', '3'),
    'unknown option --coatCount of paint; did you mean --coat-count?',
  );
  t.equal(await refusal('north', '--from', 'a', '--frobnicate'), 'unknown option --frobnicate of paint');
  t.equal(await refusal('north', '--from=a', '--frobnicate'), 'unknown option --frobnicate of paint');
  t.equal(await refusal('north', '--dry', '--frobnicate'), 'unknown option --frobnicate of paint');
  t.equal(await refusal('north', '--constructor'), 'unknown option --constructor of paint');
});

t.test('missing and superfluous arguments are named', async (t) => {
  t.equal(await refusal(), 'paint needs <wall>');
  t.equal(await refusal('a', 'b', 'c'), 'unexpected argument "c"');
});

t.test('a value that an option cannot take is refused, with those it can', async (t) => {
  t.equal(
    await refusal('north', '--coat-count', '0'),
    '--coat-count takes a whole number from 1 on, not "0"',
  );
  t.equal(
    await refusal('north', '--coat-count', '2.5'),
    '--coat-count takes a whole number from 1 on, not "2.5"',
  );
  t.equal(
    await refusal('north', '--finish', 'mat'),
    '--finish takes matt or gloss, not "mat"; did you mean matt?',
  );
  t.equal(await refusal('north', '--from'), '--from needs a value');
  t.equal(await refusal('north', '--from='), '--from needs a value');
  t.equal(await refusal('north', '--from', '--frobnicate'), '--from needs a value');
  t.equal(await refusal('north', '--json=maybe'), '--json takes no value');
  t.equal(await refusal('north', '--no-json=maybe'), '--no-json takes no value');
  t.equal(await refusal('north', '-d=maybe'), '-d takes no value');
});

t.test('each refusal says where to read what is right', async (t) => {
  await t.rejects(parse(), { message: 'paint needs <wall>\n  kgraphfs paint --help shows how' });
});
