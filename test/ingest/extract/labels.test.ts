/** What a sentence tells of that follows a label in bold, or stands below the heading of a function. */
import t from 'tap';
import { assembleText } from '../assembled.ts';

/** What a page about a kiln states with these words. */
function stated(words: string): string[] {
  const pages =
    '## Vault\n\nA Vault is a box.\n\n## Door\n\nA Door is a part of none.\n\n## Retry\n\nA Retry is another try.';
  return assembleText(`# Kiln\n\nThe Kiln is an oven.\n\n${pages}\n\n## More\n\n${words}\n`).edges();
}

t.test('"it" behind a label in bold means what the label names', async (t) => {
  t.same(stated('- **Retries or routing.** It lives in the **Vault**.'), []);
  t.same(stated('- **Retries.** They live in the **Vault**.'), ['Retry -belongs_to-> Vault']);
  t.same(stated('**Door**: it requires a **Vault**.'), ['Door -requires-> Vault']);
  t.same(stated('**Note:** It requires a **Vault**.'), ['Kiln -requires-> Vault']);
});

t.test('what a field is required for does not require what the section is about', async (t) => {
  t.same(stated('- `amount`: what is paid. Required for **Doors** and **Vaults**.'), []);
  t.same(stated('- **`amount`**: what is paid. Required for **Doors**.'), []);
});

t.test('a label is no subject of a sentence with one of its own behind a clause', async (t) => {
  t.same(stated('**Door**: When a potter knocks, the system creates a **Vault**.'), [
    'Kiln -generates-> Vault',
  ]);
});

t.test('what a function of something else does is not done by what the page is about', async (t) => {
  const below = (heading: string) =>
    assembleText(
      `# Kiln\n\nThe Kiln is an oven.\n\n## ${heading}\n\nInitiates a refund when a mug breaks.\n\n## Refund\n\nA Refund is money.\n`,
    ).edges();
  t.same(below('OvenService.Fire'), []);
  t.same(below('Kiln.Fire'), ['Kiln -generates-> Refund']);
  t.same(below('Broken mugs'), ['Kiln -generates-> Refund']);
});
