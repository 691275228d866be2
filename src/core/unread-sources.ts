const MAX_SHOWN = 3;

/** What is said of sources that may say what must stand in a hit, and that cannot be read at this moment. @param paths at least one */
export function unreadText(paths: readonly string[]): string {
  const left = paths.length - MAX_SHOWN;
  const shown = paths.slice(0, MAX_SHOWN).join(', ');
  return `cannot be read now, and may say it: ${shown}${left > 0 ? `, and ${left} more` : ''}`;
}
