/** English words that say nothing about the subject of a text, and those with which questions are asked. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both but by can could d did
  do does doing during each few for from further gets get getting got had has have having he her here hers him his how i if in into is it its
  itself just let ll m make makes may me might mine more most must my need no nor not now of off on once only or our ours out over own per re s
  same shall she should so some such t than that the their theirs them then there these they this those through to too under until up upon us
  use used using ve very via want was we were what when where which while who whom whose why will with within without would you your yours`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
