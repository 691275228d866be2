/**
 * Links that begin with a slash. They are addresses of a site, of which the docs are all or a part: where no `siteRoot` says which, the other
 * links of that kind do.
 */
import type { Docs } from './docs.ts';
import { routeOf } from './file-names.ts';
import { firstFound } from './found.ts';
import { parseTarget } from './link-target.ts';
import { nearest } from './near.ts';
import { folderOf, isMarkdown } from './paths.ts';

/** Folders whose content sites serve at their root. */
const SERVED_FOLDERS = [
  'public',
  'static',
  'assets',
  'docs/public',
  'docs/.vuepress/public',
  'content',
  'src',
  'pages',
  'docs',
  'src/pages',
  'src/content/docs',
];

/**
 * Paths relative to the docs root that an address may stand for.
 * @param from the document with the link
 * @returns undefined for an address outside of the configured `siteRoot`
 */
export function rootCandidates(docs: Docs, from: string, address: string): string[] | undefined {
  const { siteRoot, rootName, roots } = docs.settings;
  const path = trimmed(address);
  if (siteRoot !== undefined) {
    const base = trimmed(siteRoot);
    if (base !== '' && path !== base && !path.startsWith(`${base}/`)) return undefined;
    return withServed(base === '' ? path : trimmed(path.slice(base.length)));
  }
  const candidates = [...withServed(path), ...roots.map((root) => `${root}/${path}`)];
  if (path === rootName || path.startsWith(`${rootName}/`))
    candidates.push(trimmed(path.slice(rootName.length)));
  const byRoute = docs.names.withRouteEnd(path.replace(/\.(?:html?|mdx?|markdown)$/i, ''));
  candidates.push(...(path.includes('/') ? byRoute : byRoute.filter(liesInContentRoot)));
  // The docs root may hold several sites.
  for (let folder = folderOf(from); folder !== ''; folder = folderOf(folder))
    candidates.push(`${folder}/${path}`);
  return candidates;
}

/** Below no other folders than those of languages, and those which sites take content from. */
function liesInContentRoot(path: string): boolean {
  const folders = routeOf(path).split('/').slice(0, -1);
  return folders.every(
    (folder) => /^[a-z]{2}(?:-[a-z]{2,4})?$/.test(folder) || SERVED_FOLDERS.includes(folder),
  );
}

function withServed(path: string): string[] {
  return [path, ...SERVED_FOLDERS.map((folder) => `${folder}/${path}`)];
}

function trimmed(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

/** So many different addresses with the same beginning, none of which is in the docs, are a part of the site that is elsewhere. */
const ENOUGH_TO_BE_ELSEWHERE = 3;

/** What all links with a slash at the beginning say about the site. */
interface Routes {
  /** Different addresses by first part and kind, `found` those that are in the docs. */
  readonly families: ReadonlyMap<string, { readonly found: number; readonly missing: number }>;
  readonly foundInRoot: number;
  readonly foundByName: number;
  readonly missing: number;
}

const routesOf = new WeakMap<Docs, Routes>();

/** Whether an address that is not found is broken, and not a page of the site beside the docs. */
export function isJudged(docs: Docs, address: string): boolean {
  const path = trimmed(address);
  if (docs.settings.siteRoot !== undefined || isMarkdown(path)) return true;
  let routes = routesOf.get(docs);
  if (routes === undefined) {
    routes = readRoutes(docs);
    routesOf.set(docs, routes);
  }
  const [first = ''] = path.split('/');
  if (docs.names.hasFolder(first) || first === docs.settings.rootName) return true;
  if (path.includes('/') && nearest(first, docs.names.topFolders()) !== undefined) return true;
  const family = routes.families.get(familyOf(path));
  if (family !== undefined && family.found > 0) return true;
  if (isAsset(path) || (family?.missing ?? 0) >= ENOUGH_TO_BE_ELSEWHERE) return false;
  // The site knows the docs by their folder's name, so what does not begin with it is elsewhere.
  if (routes.foundByName > routes.foundInRoot) return false;
  return routes.foundInRoot > routes.missing || routes.foundInRoot + routes.missing < ENOUGH_TO_BE_ELSEWHERE;
}

function readRoutes(docs: Docs): Routes {
  const seen = new Set<string>();
  const families = new Map<string, { found: number; missing: number }>();
  const sums = { foundInRoot: 0, foundByName: 0, missing: 0 };
  for (const { path: from, outline } of docs.view.outlines()) {
    for (const { kind, target } of outline.links) {
      if (!target.startsWith('/') || kind === 'wikilink' || kind === 'embed' || kind === 'reference')
        continue;
      const path = trimmed(parseTarget(target)?.path ?? '');
      if (path === '' || seen.has(path)) continue;
      seen.add(path);
      const isFound =
        firstFound(docs, rootCandidates(docs, from, path) ?? []) !== undefined ||
        docs.calledByItself(path) !== undefined;
      const family = families.get(familyOf(path)) ?? { found: 0, missing: 0 };
      family[isFound ? 'found' : 'missing'] += 1;
      families.set(familyOf(path), family);
      if (!isFound) sums.missing += 1;
      else if (path.startsWith(`${docs.settings.rootName}/`)) sums.foundByName += 1;
      else sums.foundInRoot += 1;
    }
  }
  return { families, ...sums };
}

function familyOf(path: string): string {
  const [first = ''] = path.split('/');
  return `${isAsset(path) ? 'asset' : 'page'} ${path.includes('/') ? first : ''}`;
}

function isAsset(path: string): boolean {
  return /\.(?!html?$|mdx?$|markdown$)[a-z][a-z\d]{1,5}$/i.test(path);
}
