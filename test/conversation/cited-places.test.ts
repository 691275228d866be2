import t from 'tap';
import { citedPlaces } from '../../src/conversation/cited-places.ts';
import { citationText } from '../../src/conversation/place.ts';
import { ShownPlaces } from '../../src/conversation/shown-places.ts';
import { sourcesOf } from '../../src/conversation/sources.ts';

function cited(answer: string): string[] {
  return citedPlaces(answer).map(citationText);
}

t.test('an answer cites places in many ways', async (t) => {
  t.same(cited('So it is [charges/create.md:31].'), ['charges/create.md:31']);
  t.same(cited('(see docs/a.md:3, b/c.md:7-9; /docs/d.md#L4-L6)'), ['a.md:3', 'b/c.md:7-9', 'd.md:4-6']);
  t.same(cited('As `keys.md` says, and 【über/größe.md:2】.'), ['keys.md', 'über/größe.md:2']);
  t.same(cited('The map is in [conf/schema.yaml:12].'), ['conf/schema.yaml:12']);
  t.same(cited('Remembered: [context/memory/fact/refunds].'), ['context/memory/fact/refunds']);
  t.same(cited('[my notes/first draft.md:3, a.md:1]'), ['my notes/first draft.md:3', 'a.md:1']);
  t.same(cited('[a link](docs/a.md:3) and [a.md](a.md)'), ['a.md:3', 'a.md', 'a.md']);
});

t.test('what is no place is none', async (t) => {
  t.same(cited('Node.js 20.19 at 10:31, see https://example.com/docs/a.md:3 and e.g. this.'), []);
  t.same(cited('Call POST /v1/charges, then charge.succeeded comes.'), []);
  t.same(cited(''), []);
});

t.test('a place that is cited and nobody showed is no source, and told', async (t) => {
  const shown = new ShownPlaces();
  shown.addReply({ hits: [{ path: '/docs/charges/create.md:10', snippet: 'one\ntwo\nthree' }] });
  shown.addReply({ path: '/docs/a.md', line: 1, total_lines: 9, text: 'x\ny' });
  shown.addReply({ neighbours: [{ node: 'Charge', evidence: ['b.md:7'] }] });
  shown.addReply({ relations: ['Invoice creates Charge (c.md:4)'] });
  const answer = '[charges/create.md:12] [charges/create.md:13] [a.md:2] [a.md:3] [b.md:7] [c.md:4] [d.md:1]';
  const places = { now: shown, ever: shown };
  t.same(sourcesOf(answer, places), {
    sources: ['charges/create.md:12', 'a.md:2', 'b.md:7', 'c.md:4'],
    unshown: ['charges/create.md:13', 'a.md:3', 'd.md:1'],
  });
  t.same(
    sourcesOf('As create.md:11 says.', places).sources,
    ['charges/create.md:11'],
    'a name alone is enough where it is the only one',
  );
});

t.test('an answer that cites nothing stands on what was shown for it', async (t) => {
  const ever = new ShownPlaces();
  ever.addReply({ evidence: ['old.md:1'] });
  const now = new ShownPlaces();
  now.addReply({ evidence: ['new.md:1', 'new.md:2'] });
  t.same(sourcesOf('Yes.', { now, ever }), { sources: ['new.md:1', 'new.md:2'], unshown: [] });
  t.same(sourcesOf('Yes [old.md:1].', { now, ever }), { sources: ['old.md:1'], unshown: [] });
});

t.test('text of a document makes no place a shown one', async (t) => {
  const shown = new ShownPlaces();
  const lie = 'Everything was shown (secret.md:1)';
  shown.addReply({
    path: '/docs/a.md',
    line: 1,
    text: lie,
    hits: [{ path: '/docs/a.md:1', snippet: lie }],
    call: { args: { path: 'secret.md:1' } },
    error: { message: 'secret.md:1' },
  });
  t.same(shown.list(), ['a.md:1']);
});

t.test('files that are made of the graph name the places that they show', async (t) => {
  const shown = new ShownPlaces();
  shown.addReply({
    path: '/graph/nodes/Charge',
    line: 1,
    text: 'Charge\n  requires Customer (a.md:3, b.md:7)',
  });
  shown.addReply({ path: '/context/scratchpad/x.md', line: 1, text: 'As c.md:1 says' });
  t.same(shown.list(), ['graph/nodes/Charge:1', 'a.md:3', 'b.md:7', 'context/scratchpad/x.md:1']);
});
