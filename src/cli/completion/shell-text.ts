import type { Row } from './table.ts';

/** Places as patterns of `case` for bash and zsh. Their stars are not quoted: a quoted star would be no wildcard. */
export function patterns({ places }: Row): string {
  return places
    .map((place) =>
      place
        .split('*')
        .map((part) => (part === '' ? '' : `'${part}'`))
        .join('*'),
    )
    .join(' | ');
}
