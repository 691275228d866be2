import { decodedText, withoutSite } from '../core/link-target.ts';

/** The parts of a link's target. */
export interface LinkTarget {
  /** Percent-decoded and without the query; empty for the document itself. */
  readonly path: string;
  /** Percent-decoded; undefined if there is none, or one that every page has. */
  readonly anchor: string | undefined;
  /** Query and fragment as written, with `?` and `#`. */
  readonly tail: string;
}

/** A scheme, another host, an alias of a bundler (`@site/…`, `~/…`), a mark for the site generator (`!term`), a block of Logseq (`((…))`). */
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/|[@~!]|\\\\|www\.|\(\([\da-f-]{36}\)\))/i;
/** A template that is filled in later. A brace that contains anything but a name is taken literally. */
const TEMPLATE = /\{\{|\{%|\$\{|\$\(|<%|%[A-Z_]{2,}%|^\$|\{[\w.:-]+\}|<[^>]*>|\n|\*{2}/;
const DOMAIN =
  /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|edu|gov|info|cloud|ai|co|eu|de|uk|us)(?::\d+)?(?:[/?#]|$)/i;
const EMAIL = /^[\w.+-]+@[\w-]+\.[\w.-]+$/;

/** @returns undefined for a target outside of the docs: another site, an address, a template */
export function parseTarget(raw: string): LinkTarget | undefined {
  const target = withoutSite(raw.trim());
  if (target === '' || ELSEWHERE.test(target) || TEMPLATE.test(target)) return undefined;
  if (DOMAIN.test(target) || EMAIL.test(target)) return undefined;
  const hash = target.indexOf('#');
  const beforeHash = hash === -1 ? target : target.slice(0, hash);
  const query = beforeHash.indexOf('?');
  const path = query === -1 ? beforeHash : beforeHash.slice(0, query);
  return {
    path: decodedText(path),
    anchor: hash === -1 ? undefined : realAnchor(target.slice(hash + 1)),
    tail: target.slice(path.length),
  };
}

/** Lines of code, text fragments, the top of a page, routes of applications and of Redoc, footnotes and tabs are not anchors of a document. */
function realAnchor(fragment: string): string | undefined {
  const anchor = decodedText(fragment.replace(/:~:.*$/s, ''));
  if (anchor === '' || anchor.toLowerCase() === 'top') return undefined;
  return /^(?:L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?|[!/?].*|(?:tag|operation|section|schema)\/.*|fn(?:ref)?[:-]?\d.*|__.*|[\w-]+=.*)$/.test(
    anchor,
  )
    ? undefined
    : anchor;
}
