/** Forms of a word that stemming does not unify: irregular ones, and British and American spellings. */

/** A base with its irregular forms. Forms that are far more often another word (`found`, `left`, `ground`, `lay`) are left out. */
const IRREGULAR = `
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent|bind bound|bite bit bitten|bleed bled
|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|creep crept
|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought
|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|give gave given
|go went gone|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known|lead led|learn learnt|lend lent
|light lit|lose lost|mean meant|meet met|overdraw overdrew overdrawn|override overrode overridden|oversee oversaw overseen|overtake overtook overtaken
|overwrite overwrote overwritten|pay paid|prove proven|rebuild rebuilt|redo redid redone|repay repaid|resend resent|rewrite rewrote rewritten
|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|shake shook shaken|shine shone
|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|speed sped|spell spelt
|spend spent|spin spun|spoil spoilt|spring sprang sprung|stand stood|steal stole stolen|stick stuck|strike struck|swear swore sworn
|sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown
|undergo underwent undergone|understand understood|undertake undertook undertaken|undo undid undone|unwind unwound|wake woke woken|wear wore worn
|weave wove woven|win won|wind wound|withdraw withdrew withdrawn|withhold withheld|write wrote written
|analysis analyses|appendix appendices|axis axes|basis bases|child children|crisis crises|criterion criteria|datum data|foot feet|half halves|index indices
|knife knives|leaf leaves|life lives|man men|matrix matrices|medium media|mouse mice|shelf shelves|synopsis synopses|tooth teeth
|vertex vertices|wife wives|woman women`;

/** Words with two spellings that follow no rule. */
const SPELLINGS = `
aluminium aluminum|artefact artifact|cheque check|cosy cozy|defence defense|grey gray|judgement judgment|jewellery jewelry|licence license|offence offense
|plough plow|practise practice|pretence pretense|programme program|pyjamas pajamas|sceptical skeptical|tyre tire`;

/** Endings with two spellings. A result that is not a word is simply not found. */
const ENDINGS: readonly (readonly [british: string, american: string])[] = [
  ...['e', 'es', 'ed', 'er', 'ers', 'ing', 'ation', 'ations', 'able'].flatMap((ending) => [
    [`is${ending}`, `iz${ending}`] as const,
    [`ys${ending}`, `yz${ending}`] as const,
  ]),
  ...['', 's', 'ed', 'ing', 'able', 'ite', 'ites', 'ful', 'less', 'al'].map(
    (ending) => [`our${ending}`, `or${ending}`] as const,
  ),
  ...['', 's'].flatMap((ending) => [
    [`tre${ending}`, `ter${ending}`] as const,
    [`bre${ending}`, `ber${ending}`] as const,
    [`ogue${ending}`, `og${ending}`] as const,
  ]),
];
/** How many letters have to be before an ending: "four" is not "for". */
const MIN_BEGINNING = 3;

/** For each form, all of them, the base first. */
let groups: ReadonlyMap<string, readonly string[]> | undefined;

/** The other forms of a word, which is given in lower case as it is written. */
export function formsOf(word: string): readonly string[] {
  groups ??= grouped();
  const others = (groups.get(word) ?? []).filter((other) => other !== word);
  return [...others, ...spellingsOf(word)];
}

/** The form under which a dictionary has a word: "send" for "sent". */
export function baseOf(word: string): string {
  groups ??= grouped();
  return groups.get(word)?.[0] ?? word;
}

function grouped(): Map<string, readonly string[]> {
  const forms = new Map<string, readonly string[]>();
  for (const line of `${IRREGULAR}|${SPELLINGS}`.split('|')) {
    const words = line.trim().split(/\s+/);
    for (const word of words) forms.set(word, [...(forms.get(word) ?? []), ...words]);
  }
  return forms;
}

function spellingsOf(word: string): string[] {
  return ENDINGS.flatMap((pair) =>
    [pair, pair.toReversed()].flatMap(([ending = '', other = '']) => {
      const beginning = word.slice(0, -ending.length);
      return word.endsWith(ending) && beginning.length >= MIN_BEGINNING ? [beginning + other] : [];
    }),
  );
}
