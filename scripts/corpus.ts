import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OBJECTS = [
  'Order',
  'Invoice',
  'Customer',
  'Shipment',
  'Refund',
  'Ticket',
  'Project',
  'Message',
  'Account',
  'Report',
];
const VERBS = ['create', 'retrieve', 'update', 'delete', 'list'];
const WORDS =
  'the service keeps a record of each payment and sends it on when a retry is due so that no team waits for another region while quotas hold and logs stay short'.split(
    ' ',
  );

/** Pseudo-random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Writes documentation of an invented API: `count` markdown files of 3 to 5 kB in folders of 100, each about one endpoint,
 * with headings, a table, a fence, links to its neighbours and a Relationships section.
 */
export function writeCorpus(folder: string, count: number, seed = 1): void {
  const random = randomNumbers(seed);
  for (let index = 0; index < count; index += 1) {
    const part = join(folder, `area-${String(Math.floor(index / 100)).padStart(3, '0')}`);
    if (index % 100 === 0) mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `page-${String(index % 100).padStart(2, '0')}.md`), page(index, random));
  }
}

/** The path of a page of the corpus, below its folder. */
export function pathOfPage(index: number): string {
  const [area, page] = [Math.floor(index / 100), index % 100];
  return `area-${String(area).padStart(3, '0')}/page-${String(page).padStart(2, '0')}.md`;
}

/**
 * Adds a section of links to every page of a corpus of `count` pages: `perPage` on average, to pages anywhere in it, the first pages being linked to
 * most.
 */
export function addLinks(folder: string, count: number, perPage: number, seed = 1): void {
  const random = randomNumbers(seed);
  for (let index = 0; index < count; index += 1) {
    const links = Array.from({ length: Math.floor(perPage + random()) }, () => {
      const path = pathOfPage(Math.floor(random() * random() * count));
      return `- [${path}](../${path})\n`;
    });
    appendFileSync(join(folder, pathOfPage(index)), `\n## See also\n\n${links.join('')}`);
  }
}

function page(index: number, random: () => number): string {
  const pick = <Item>(items: readonly Item[], fallback: Item) =>
    items[Math.floor(random() * items.length)] ?? fallback;
  const area = Math.floor(index / 100);
  const object = `${pick(OBJECTS, 'Order')}${area}`;
  const other = `${pick(OBJECTS, 'Customer')}${area}`;
  const verb = pick(VERBS, 'create');
  const path = `/v1/area-${area}/${object.toLowerCase()}s`;
  const next = `page-${String((index + 1) % 100).padStart(2, '0')}.md`;
  const sizeBytes = 3000 + Math.floor(random() * 2000);
  let text = `# ${verb} ${object} ${index}

POST ${path}/{id}/${verb}-${index}

Returns a **${object}** object. See also [the next page](${next}).

## Parameters

| Field | Type | Description |
|---|---|---|
| id | string | which ${object.toLowerCase()} |
| note | string | free text |

\`\`\`json
{ "id": "x_${index}", "payment": ${index} }
\`\`\`

## Relationships

- A **${object}** requires a **${other}**
- On success, triggers the \`${object.toLowerCase()}.${verb}d\` webhook event

## Notes

`;
  while (text.length < sizeBytes) {
    const sentence = Array.from({ length: 12 }, () => pick(WORDS, 'the')).join(' ');
    text += `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.${random() < 0.2 ? '\n\n' : ' '}`;
  }
  return `${text.trimEnd()}\n`;
}
