import { randomNumbers } from '../corpus.ts';

/** Invented words, the first ones used most often: real memories, too, are told apart by their rare words. */
const VOCABULARY = 5_000;
const SYLLABLES =
  'ba ke li mo nu ra se ti vo ya den for gal hin jas kor lum mer nor pel quin ros sar tol vin wex'.split(' ');
const SPEAKERS = ['Ines', 'Tobias', 'Oyelaran', 'Maren', 'Zora', 'Ruth'];
const COMMON = 'service payment retry region quotas record team logs waits sends short due'.split(' ');
const OBJECTS = ['Order', 'Invoice', 'Customer', 'Shipment', 'Refund', 'Ticket', 'Project', 'Message'];
const TURNS_PER_SESSION = 20;
const SPREAD = 3;

/** Entries for `kgraphfs context memory import`: turns of conversations, some twenty in each session. They are always the same. */
export function memoryLines(count: number): string {
  const random = randomNumbers(7);
  return Array.from({ length: count }, (_, index) => {
    const session = Math.floor(index / TURNS_PER_SESSION);
    const speaker = SPEAKERS[Math.floor(random() * SPEAKERS.length)] ?? '';
    const words = Array.from({ length: 12 + Math.floor(random() * 20) }, () => wordOf(random));
    const line = {
      memory_type: 'episodic',
      key: `talk/${session}/${index % TURNS_PER_SESSION}`,
      content: `${speaker}: ${words.join(' ')}.\n`,
      created_at: new Date(Date.UTC(2025, 0, 1) + index * 600_000).toISOString(),
      session: `talk-${session}`,
    };
    return `${JSON.stringify(line)}\n`;
  }).join('');
}

/**
 * Questions about documents of `writeCorpus` and entries of `memoryLines`: by name, by words that few texts have, by words that nearly all
 * have, and mixed.
 */
export function randomQuestions(count: number, documents: number, seed: number): string[] {
  const random = randomNumbers(seed);
  const pick = (items: readonly string[]) => items[Math.floor(random() * items.length)] ?? '';
  const word = () => wordOf(random);
  const object = () => `${pick(OBJECTS)}${Math.floor((random() * documents) / 100)}`;
  const forms = [
    () => `How do I create ${object()} when ${object()} is due?`,
    () => `what does ${pick(SPEAKERS)} say of ${word()} and ${word()}`,
    () => `why does the ${pick(COMMON)} keep a ${pick(COMMON)} in each ${pick(COMMON)}`,
    () => `POST /v1/area-${Math.floor((random() * documents) / 100)}/${object()}s ${pick(COMMON)}`,
    () => `${word()} ${word()} ${pick(COMMON)} ${object()} ${word()}`,
    () => `When did ${pick(SPEAKERS)} speak of the ${word()} that the ${pick(COMMON)} needs for ${object()}?`,
  ];
  return Array.from({ length: count }, (_, index) => forms[index % forms.length]?.() ?? '');
}

function wordOf(random: () => number): string {
  const rank = Math.floor(random() ** SPREAD * VOCABULARY);
  const syllable = (index: number) => SYLLABLES[index % SYLLABLES.length] ?? '';
  return `${syllable(rank)}${syllable(Math.floor(rank / SYLLABLES.length))}${syllable(rank * 7 + 3)}`;
}
