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
    '--finish takes matt, gloss, not "mat"; did you mean matt?',
  );
  t.equal(await refusal('north', '--from'), '--from needs a value');
  t.equal(await refusal('north', '--from='), '--from needs a value');
  t.equal(await refusal('north', '--json=maybe'), '--json takes no value');
});

t.test('each refusal says where to read what is right', async (t) => {
  await t.rejects(parse(), { message: 'paint needs <wall>\n  kgraphfs paint --help shows how' });
});
