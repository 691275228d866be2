/** Checks whether a text calls a thing by a type of the schema map. */
import { placeOfName, type Stretch } from './quoted-lines.ts';

/** Words that may stand between a name and what it is called. */
const BETWEEN =
  /^[\s:;,.()"'|=–—-]*(?:(?:is|are|was|were|be|as|an?|the|one|our|each|every|of|type|kind|called|named)[\s:"'|–—-]+)*$/;

/** "Checkout is an epic", "the checkout epic", "Epic: Checkout". @param line the line as plain words */
export function isCalled(line: string, name: string, type: string): boolean {
  const types = placesOf(line, type);
  return placesOf(line, name).some((ofName) =>
    types.some((ofType) => {
      if (ofName.end <= ofType.start) return BETWEEN.test(line.slice(ofName.end, ofType.start));
      return ofType.end <= ofName.start && BETWEEN.test(line.slice(ofType.end, ofName.start));
    }),
  );
}

function placesOf(line: string, name: string): Stretch[] {
  const places: Stretch[] = [];
  for (let from = 0; ; ) {
    const place = placeOfName(line.slice(from), name);
    if (place === undefined) return places;
    places.push({ start: from + place.start, end: from + place.end });
    from += place.end;
  }
}

/** Whether a heading says that what follows is of the type: "Epics", "Our epics". @param heading the heading as plain words */
export function isListOf(heading: string, type: string): boolean {
  const place = placeOfName(heading, type);
  if (place === undefined) return false;
  return (
    /^(?:(?:all|the|our|open|current|planned|list of)\s+)*$/.test(heading.slice(0, place.start)) &&
    /^\W*$/.test(heading.slice(place.end))
  );
}
