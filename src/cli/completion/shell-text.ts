import type { Row } from './table.ts';

/** Places as patterns of `case` for bash and zsh: within quotation marks a star would be none. */
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
