import { conceptKey, documentKey, endpointKey, eventKey, HTTP_METHODS } from '../../src/core/identity.ts';
import { encodeName } from '../../src/core/names.ts';
import type { NodeIdentity } from '../../src/store/nodes.ts';

/** A node of the docs by its label; said often and plainly unless the extra says otherwise. */
export function docsNode(
  label: string,
  type: NodeIdentity['type'] = 'APIObject',
  extra: Partial<NodeIdentity> = {},
): NodeIdentity {
  return {
    key: keyOf(label, type),
    type,
    label,
    display: label,
    name: encodeName(label),
    weight: 5,
    confidence: 0.9,
    ...extra,
  };
}

/** A document whose title is its path. */
export function docsPage(path: string): NodeIdentity {
  return { ...docsNode(path, 'Document'), key: documentKey(path) };
}

function keyOf(label: string, type: NodeIdentity['type']): string {
  if (type === 'Event') return eventKey(label);
  const [method = '', path = ''] = label.split(' ');
  if (type === 'Endpoint' && HTTP_METHODS.some((one) => one === method)) return endpointKey(method, path);
  return conceptKey(label);
}
