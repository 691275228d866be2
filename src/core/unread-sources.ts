const MAX_SHOWN = 3;

/** What to say about sources that cannot be read at this moment and might contain what a hit has to contain. @param paths at least one */
export function unreadText(paths: readonly string[]): string {
  const left = paths.length - MAX_SHOWN;
  const shown = paths.slice(0, MAX_SHOWN).join(', ');
  return `cannot be read now, and may say it: ${shown}${left > 0 ? `, and ${left} more` : ''}`;
}
