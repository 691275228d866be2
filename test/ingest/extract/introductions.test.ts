/** Pages called "Introduction" or "Overview", of which the title names nothing. */
import t from 'tap';
import { assemble } from '../assembled.ts';

/** What such a page references. */
function edges(title: string, opening: string): string[] {
  return assemble({
    'kilns/index.md': `# ${title}\n\n${opening}\n\nIt uses the Shelf.\n`,
    'shelf.md': '# Shelf\n\nA shelf is a plate.\n',
  })
    .edges('references')
    .filter((edge) => !edge.startsWith(`${title} `));
}

t.test('a page is about what its first sentence tells of', async (t) => {
  t.same(edges('Introduction', 'Kiln Relay is a service that fires.'), ['Kiln Relay -references-> Shelf']);
  t.same(edges('What is Kiln Relay', "Kiln Relay is Acme's service."), ['Kiln Relay -references-> Shelf']);
  t.same(edges('Kilns to have', 'Kiln Relay is a service that fires.'), [], 'no introduction');
  t.same(edges('Overview', 'Relays in Acme are the places to fire.'), [], 'no name');
});

t.test('several things that open the sentence have their capital from it', async (t) => {
  t.same(edges('Overview', 'Glazes are the coats that clay is given.'), []);
  t.same(
    edges('Overview', 'Kilns are the places where clay is fired.'),
    ['Kilns -references-> Shelf'],
    'of the folder',
  );
  t.same(edges('Overview', 'Acme Kilns are the places where clay is fired.'), [
    'Acme Kilns -references-> Shelf',
  ]);
});

t.test('a name in small letters is that of the folder', async (t) => {
  t.same(edges('Overview', 'A kiln is the place where clay is fired.'), ['kiln -references-> Shelf']);
  t.same(edges('Overview', 'A pattern is the way to do it.'), []);
});
