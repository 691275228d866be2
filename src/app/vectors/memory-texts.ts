import { systemClock } from '../../core/clock.ts';
import { parsePlace } from '../../memory/memory-places.ts';
import { passagesOfEntry } from '../../memory/passages.ts';
import { MemorySearchIndex } from '../../memory/search-index.ts';
import { openContextStore } from '../../store/context-store.ts';
import { openSearchStore } from '../../store/search-store.ts';
import { hexOf, type PassageTexts } from '../../vectors/passage-texts.ts';

export interface MemoryTextsOptions {
  readonly contextFile: string;
  readonly memorySearchFile: string;
}

/** How many passages search takes in before it checks whether somebody else wants to write. */
const AT_ONCE = 200;

/** The texts of the passages of entries in memory. The tags of an entry are left out: they are metadata, and change independently of its text. */
export function memoryTexts({ contextFile, memorySearchFile }: MemoryTextsOptions): PassageTexts {
  const context = openContextStore(contextFile);
  const search = openSearchStore(memorySearchFile);
  const index = new MemorySearchIndex({ tables: context.memory, search, clock: systemClock });

  return {
    corpus: 'memory',
    version: () => index.revision(),
    passagesAfter(id, limit) {
      while (id === 0 && !index.catchUp(AT_ONCE));
      return search.passages.hashedAfter(id, limit);
    },
    withText: (textHash) => search.passages.withText(textHash),
    textsOf(sourceId) {
      const source = search.sources.byId(sourceId);
      const place = source && parsePlace(source.path);
      const content = source && index.content(source.path);
      const texts = new Map<string, string>();
      if (place === undefined || content === undefined) return texts;
      const passages = passagesOfEntry(place, content, [], (textHash, speaker, text) => {
        texts.set(hexOf(textHash), [place.key, speaker, text].filter((part) => part !== '').join('\n'));
      });
      while (passages.next().done !== true);
      return texts;
    },
    close() {
      search.close();
      context.close();
    },
  };
}
