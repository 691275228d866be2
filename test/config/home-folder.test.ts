import t from 'tap';
import { homeFolder } from '../../src/config/home-folder.ts';

function withoutEntry(): never {
  throw Object.assign(new Error('no entry'), { code: 'ERR_SYSTEM_ERROR', syscall: 'uv_os_get_passwd' });
}

t.test('without a HOME that can be used, the home is what the system says, else the root', async (t) => {
  const entry = (homedir: string) => () => ({ homedir });
  t.equal(homeFolder({ homedir: () => '/home/you', userInfo: withoutEntry }), '/home/you');
  for (const unusable of [() => '', () => 'relative', withoutEntry]) {
    t.equal(homeFolder({ homedir: unusable, userInfo: entry('/home/me') }), '/home/me');
    t.equal(homeFolder({ homedir: unusable, userInfo: entry('') }), '/');
    t.equal(homeFolder({ homedir: unusable, userInfo: withoutEntry }), '/');
  }
});
