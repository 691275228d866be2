/** What a daemon that has indexed its docs says in status.json. */
export const EXAMPLE_STATUS = {
  state: 'ready',
  pid: 1,
  version: '0.1.0',
  driver: 'fuse-native',
  mountpoint: '/home/you/ctx',
  docs: '/home/you/docs',
  state_dir: '/home/you/.kgraphfs',
  started_at: '1970-01-01T00:00:00.000Z',
  revision: 1,
  documents: 640,
  nodes: 1,
  edges: 2000,
  memories: 0,
  indexing: { done: 640, total: 640, lag_ms: 0 },
  watcher: { alive: true, last_event_at: null },
  errors: 0,
};
