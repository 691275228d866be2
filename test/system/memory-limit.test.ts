import t from 'tap';
import { groupLimitBytes } from '../../src/system/memory-limit.ts';

const V2 = [{ type: 'cgroup2', point: '/sys/fs/cgroup', root: '/' }];
const V1 = [
  { type: 'cgroup', point: '/sys/fs/cgroup/cpu', root: '/' },
  { type: 'cgroup', point: '/sys/fs/cgroup/memory', root: '/' },
  { type: 'cgroup2', point: '/sys/fs/cgroup/unified', root: '/' },
];
const reader = (files: Record<string, string>) => (file: string) => files[file];

t.test('the limit of a cgroup around that of the process counts', async (t) => {
  const files = {
    '/sys/fs/cgroup/work.slice/memory.max': '314572800\n',
    '/sys/fs/cgroup/work.slice/memory.high': 'max\n',
    '/sys/fs/cgroup/work.slice/one/memory.max': 'max\n',
    '/sys/fs/cgroup/work.slice/one/memory.high': 'max\n',
    '/sys/fs/cgroup/other/memory.max': '1\n',
  };
  t.equal(groupLimitBytes('0::/work.slice/one\n', V2, reader(files)), 314572800);
  t.equal(groupLimitBytes('0::/else\n', V2, reader(files)), Infinity);
  const slowed = { ...files, '/sys/fs/cgroup/work.slice/one/memory.high': '1000\n' };
  t.equal(groupLimitBytes('0::/work.slice/one\n', V2, reader(slowed)), 1000);
});

t.test('the first version of cgroups tells the limit of all around', async (t) => {
  const files = {
    '/sys/fs/cgroup/memory/a/b/memory.stat': 'cache 1\nhierarchical_memory_limit 268435456\nrss 5\n',
  };
  const groups = '5:cpu,cpuacct:/x\n4:memory:/a/b\n0::/\n';
  t.equal(groupLimitBytes(groups, V1, reader(files)), 268435456);
});

t.test('a container that sees only its own part of the tree finds its limit there', async (t) => {
  const inside = [{ type: 'cgroup', point: '/sys/fs/cgroup/memory', root: '/box/7' }];
  const stat = { '/sys/fs/cgroup/memory/memory.stat': 'hierarchical_memory_limit 77\n' };
  t.equal(groupLimitBytes('4:memory:/box/7\n', inside, reader(stat)), 77);
  const namespaced = reader({ '/sys/fs/cgroup/memory.max': '88\n' });
  t.equal(groupLimitBytes('0::/\n', V2, namespaced), 88);
  t.equal(groupLimitBytes('', V2, namespaced), Infinity, 'and without such a file there is none');
});
