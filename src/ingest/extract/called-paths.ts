/** Paths of calls in examples, which have a base path and values for parameters. */
import { type Endpoint, pairEndpoints } from './endpoint-text.ts';

/** Whether a call's path ends as the endpoint's does. The call may have an example value for a parameter. */
export function isCallOf(endpoint: Endpoint, call: Endpoint): boolean {
  const [method, path = ''] = endpoint.key.slice('endpoint:'.length).split(' ');
  const [calledMethod, calledPath = ''] = call.key.slice('endpoint:'.length).split(' ');
  if (method !== calledMethod) return false;
  const segments = path.split('/').slice(1);
  const called = calledPath.split('/').slice(1);
  const base = called.length - segments.length;
  if (base < 0 || base > MAX_BASE_SEGMENTS) return false;
  return segments.every((segment, index) => segment.startsWith('{}') || segment === called[base + index]);
}

const MAX_BASE_SEGMENTS = 3;

/** The same call with one to three leading segments of its path removed, which may be a base path. */
export function withoutBasePath({ label }: Endpoint): Endpoint[] {
  const [method = '', path = ''] = label.split(' ');
  const segments = path.split('/').slice(1);
  const shorter: Endpoint[] = [];
  for (let cut = 1; cut <= MAX_BASE_SEGMENTS && cut < segments.length; cut += 1) {
    shorter.push(...pairEndpoints(method, `/${segments.slice(cut).join('/')}`));
  }
  return shorter;
}
