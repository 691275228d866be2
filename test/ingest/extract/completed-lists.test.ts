/** Lists whose items complete the sentence that opens them. */
import t from 'tap';
import { assemble } from '../assembled.ts';

/** What a list below "A tenant can have:" says of tenants. */
function edges(items: string): string[] {
  return assemble({
    'tenant.md': `# Tenants\n\nA tenant is a customer.\n\nA tenant can have:\n\n${items}\n`,
    'kiln.md': '# Kilns\n\nA kiln is an oven.\n',
    'shelf.md': '# Shelf\n\nA shelf is a plate.\n',
  })
    .edges('references')
    .filter((edge) => edge.startsWith('Tenants ') && !edge.includes('.md'));
}

t.test('items that are nothing but names complete the sentence above them', async (t) => {
  t.same(edges('- Kilns (if allowed)\n- Shelf and rows'), ['Tenants -references-> Kilns']);
  t.same(edges('- Kilns and Shelf.'), ['Tenants -references-> Kilns', 'Tenants -references-> Shelf']);
  t.same(edges('- Kilns were lit'), []);
  t.same(
    edges('- [Kilns](kiln.md) were lit'),
    ['Tenants -references-> Kilns'],
    'what is set off says it anywhere',
  );
});
