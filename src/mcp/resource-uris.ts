import { FsError } from '../core/errors.ts';
import { parsePath, partsOf, type VfsPath } from '../core/paths.ts';
import { resourceNotFound } from './requests.ts';

const SCHEME = 'kgraphfs:';
const BEGINNING = `${SCHEME}//`;

/** Makes `kgraphfs:///docs/a%20b.md` of `/docs/a b.md`. */
export function uriOf(path: VfsPath): string {
  return `${BEGINNING}/${partsOf(path).map(encodeURIComponent).join('/')}`;
}

/**
 * The path that a URI names. `kgraphfs:///docs/a.md` and `kgraphfs:/docs/a.md` are the same. A slash within a name is `%2F`, as in the tree itself.
 * @throws -32002 for a URI of another kind
 */
export function pathOf(uri: string): VfsPath {
  const inTree = uri.startsWith(`${BEGINNING}/`)
    ? uri.slice(BEGINNING.length)
    : uri.startsWith(`${SCHEME}/`) && !uri.startsWith(BEGINNING)
      ? uri.slice(SCHEME.length)
      : undefined;
  if (inTree === undefined)
    throw resourceNotFound(uri, `resources are named as ${BEGINNING}/docs/…, not "${uri}"`);
  try {
    return parsePath(inTree.split('/').map(decoded).join('/'));
  } catch (error) {
    if (!(error instanceof FsError || error instanceof URIError)) throw error;
    const why = error instanceof FsError ? error.why : 'a % is followed by two digits of hexadecimal';
    throw resourceNotFound(uri, `${uri}: ${why}`);
  }
}

/** A slash within a name stays as the tree lists it: `POST %2Fv1%2Fcharges`. */
function decoded(part: string): string {
  return decodeURIComponent(part).replaceAll('/', '%2F');
}
