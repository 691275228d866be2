/**
 * Links that begin with a slash. They are addresses on a site, of which the docs are all or a part. If no `siteRoot` says which, that is found out
 * from all links of this kind.
 */

import { withoutSite } from '../core/link-target.ts';
import { isMarkdown } from '../core/markdown-ending.ts';
import { folderOf } from '../core/paths.ts';
import { nearest } from '../text/near.ts';
import type { Docs } from './docs.ts';
import { routeOf } from './file-names.ts';
import { firstFound } from './found.ts';
import { parseTarget } from './link-target.ts';
import { isAsset, SiteEvidence } from './site-evidence.ts';
import { findMounts, type Mounts, mountedCandidates } from './site-mounts.ts';

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
  'app',
  'src/app',
];

const SERVED_ROOTS = ['', ...SERVED_FOLDERS.map((folder) => `${folder}/`)];

/**
 * Paths relative to the docs root that an address may stand for.
 * @param from the document with the link
 * @returns undefined for an address outside of the configured `siteRoot`
 */
export function rootCandidates(docs: Docs, from: string, address: string): string[] | undefined {
  const { siteRoot } = docs.settings;
  const path = trimmed(address);
  if (siteRoot !== undefined) {
    const base = trimmed(siteRoot);
    if (base !== '' && path !== base && !path.startsWith(`${base}/`)) return undefined;
    return withServed(base === '' ? path : trimmed(path.slice(base.length)));
  }
  return [...plainCandidates(docs, from, path), ...mountedCandidates(mountsOf(docs), path)];
}

/** Candidates for which only the names of the files are needed. */
function plainCandidates(docs: Docs, from: string, path: string): string[] {
  const { rootName, roots } = docs.settings;
  // Jekyll serves `_docs/page.md` as `/docs/page`.
  const candidates = [...withServed(path), `_${path}`, ...roots.map((root) => `${root}/${path}`)];
  if (path === rootName || path.startsWith(`${rootName}/`))
    candidates.push(trimmed(path.slice(rootName.length)));
  const byRoute = docs.names.withRouteEnd(path.replace(/\.(?:html?|mdx?|markdown)$/i, ''));
  candidates.push(...(path.includes('/') ? byRoute : byRoute.filter(liesInContentRoot)));
  candidates.push(...inMainLanguage(docs, path), ...belowBase(docs, path));
  // The docs root may contain several sites.
  for (let folder = folderOf(from); folder !== ''; folder = folderOf(folder))
    candidates.push(`${folder}/${path}`);
  return candidates;
}

/** An address in the folder of the document's language, since sites add that to each link. */
export function inLanguageOf(from: string, address: string): string[] {
  const folders = from.split('/').slice(0, -1);
  return folders.flatMap((folder, index) =>
    /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(folder)
      ? withServed(trimmed(address)).map((path) => [...folders.slice(0, index + 1), path].join('/'))
      : [],
  );
}

/** Sites show pages that are not translated in their main language. */
function inMainLanguage(docs: Docs, path: string): string[] {
  const [, language, rest] = /^([a-z]{2}(?:-[a-z]{2,4})?)\/(.+)$/i.exec(path) ?? [];
  if (
    language === undefined ||
    rest === undefined ||
    !SERVED_ROOTS.some((root) => docs.names.hasFolder(root + language))
  )
    return [];
  const own = new Set(SERVED_ROOTS.map((root) => root + routeOf(rest)));
  return docs.names.withRouteEnd(rest).filter((page) => own.has(routeOf(page)));
}

/** Folders whose files sites serve as they are. */
const STATIC_FOLDERS = ['public', 'static', 'docs/public', 'docs/.vuepress/public'];

/**
 * A site that begins at a folder of its host, as by the `baseUrl` of Docusaurus, serves its other files there too: `static/x.pdf` as `/docs/x.pdf`. Where there
 * is `static/img/`, a site does not begin at `/img/`.
 */
function belowBase({ names }: Docs, path: string): string[] {
  const slash = path.indexOf('/');
  if (slash === -1 || !/\.\w+$/.test(path) || isMarkdown(path)) return [];
  const base = path.slice(0, slash);
  return STATIC_FOLDERS.flatMap((folder) =>
    names.hasFolder(`${folder}/${base}`) ? [] : [folder + path.slice(slash)],
  );
}

/** Whether all folders above it are those of languages, or ones from which sites take content. */
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

/** As viewers of OpenAPI files make them: `/reference/tag/users/POST/users`. */
const GENERATED_ROUTE = /(?:^|\/)tags?\/[^/]+\/(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|operation)\//i;
/** Feeds and maps that site generators make. */
const GENERATED = /(?:^|\/)(?:rss|feed|atom|sitemap|robots|llms[\w-]*)\.(?:xml|txt|json)$/i;

/** Whether an address that was not found is broken, rather than a page of the site outside of the docs. */
export function isJudged(docs: Docs, address: string): boolean {
  const path = trimmed(address);
  if (docs.settings.siteRoot !== undefined || isMarkdown(path)) return true;
  if (GENERATED.test(path) || GENERATED_ROUTE.test(path)) return false;
  const evidence = evidenceOf(docs);
  const said = evidence.saidOf(path);
  if (said !== undefined) return said;
  const [first = ''] = path.split('/');
  if (docs.names.hasFolder(first) || first === docs.settings.rootName) return true;
  if (path.includes('/') && nearest(first, docs.names.topFolders()) !== undefined) return true;
  return !isAsset(path) && evidence.isRootOfSite;
}

const evidences = new WeakMap<Docs, SiteEvidence>();

function evidenceOf(docs: Docs): SiteEvidence {
  const known = evidences.get(docs);
  if (known !== undefined) return known;
  const evidence = new SiteEvidence();
  evidences.set(docs, evidence);
  const mounts = mountsOf(docs);
  const seen = new Set<string>();
  for (const { from, path } of addressesIn(docs)) {
    if (path === '' || seen.has(path)) continue;
    seen.add(path);
    const isPlain =
      firstFound(docs, plainCandidates(docs, from, path)) !== undefined ||
      docs.calledByItself(path) !== undefined;
    const isMounted = !isPlain && firstFound(docs, mountedCandidates(mounts, path)) !== undefined;
    if (isMounted || (isPlain && path.startsWith(`${docs.settings.rootName}/`))) evidence.addBelow(path);
    else evidence.add(path, isPlain);
  }
  return evidence;
}

const mountsOfDocs = new WeakMap<Docs, Mounts>();

/** Where folders of the docs are on the site, judging by links whose address ends like that of a document. */
function mountsOf(docs: Docs): Mounts {
  const known = mountsOfDocs.get(docs);
  if (known !== undefined) return known;
  const seen = new Set<string>();
  const paths: string[] = [];
  for (const { from, path } of addressesIn(docs)) {
    if (seen.has(path) || !path.includes('/') || isAsset(path)) continue;
    seen.add(path);
    if (firstFound(docs, plainCandidates(docs, from, path)) === undefined) paths.push(path);
  }
  const mounts = findMounts(paths, (route) => docs.names.withRouteEnd(route));
  mountsOfDocs.set(docs, mounts);
  return mounts;
}

/** All addresses that begin with a slash, without the slash. */
export function* addressesIn(docs: Docs): Generator<{ readonly from: string; readonly path: string }> {
  for (const { path: from, outline } of docs.view.outlines()) {
    for (const { kind, target: written } of outline.links) {
      const target = withoutSite(written);
      if (!target.startsWith('/') || kind === 'wikilink' || kind === 'embed' || kind === 'reference')
        continue;
      const path = parseTarget(target)?.path;
      if (path !== undefined) yield { from, path: trimmed(path) };
    }
  }
}
