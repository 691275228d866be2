import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { chooseModules } from '../../src/config/modules.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { startDaemon } from '../../src/daemon/daemon.ts';
import type { MountWish } from '../../src/daemon/daemon-options.ts';
import type { MountEnd } from '../../src/fuse/driver.ts';
import { withModules } from '../../src/modules/module-folders.ts';
import { Modules } from '../../src/modules/modules.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { openStore } from '../../src/store/store.ts';
import { PETSTORE } from '../modules/petstore.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { within } from '../support/within.ts';

/** Against what hangs. */
const LIMIT_MS = 120_000;

/** Reads what joins the graph only when `answer` is called. */
class LateModules extends Modules {
  #answer: () => void = () => {};
  readonly #isAsked = new Promise<void>((resolve) => {
    this.#answer = resolve;
  });
  #answered: Promise<unknown> = Promise.resolve();

  override mirror(which?: 'all' | 'of the graph') {
    if (which === undefined) return super.mirror();
    const answered = this.#isAsked.then(() => super.mirror(which));
    this.#answered = answered;
    return answered;
  }

  async answer(): Promise<void> {
    this.#answer();
    await this.#answered;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const polling = new AbortController();
  const poll = async () => {
    while (!isSo() && !polling.signal.aborted) await pause(20);
  };
  await within(LIMIT_MS, poll()).finally(() => polling.abort());
}

t.test('texts of a module that come too late for the first index are read after it', async (t) => {
  const folder = temporaryFolder(t);
  const own = join(folder, 'own/kgraphfs');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.md'), '# Shop\n');
  writeFileSync(join(own, 'api.yaml'), PETSTORE);
  const api = { module: 'openapi', file: 'api.yaml' };
  writeFileSync(join(own, 'config.json'), JSON.stringify({ modules: { api } }), { mode: 0o600 });
  const choices = chooseModules(undefined, { XDG_CONFIG_HOME: join(folder, 'own') });
  const settings = loadSettings({ docs: [join(folder, 'docs')], state: join(folder, 'state') }, folder);
  const state = stateFolderAt(settings.state);
  const selection = withModules(settings.selection, choices, state.modulesFolder);
  const documents = () => {
    const store = openStore(state.indexFile, { readOnly: true });
    try {
      return store.documents.all().map(({ path }) => path);
    } finally {
      store.close();
    }
  };
  let modules: LateModules | undefined;
  let end: (how: MountEnd) => void = () => {};
  const ended = new Promise<MountEnd>((resolve) => {
    end = resolve;
  });
  const mount: MountWish = {
    mountpoint: join(folder, 'mnt'),
    allowOther: false,
    driver: () => ({
      name: 'linux',
      async mount() {
        await until(() => documents().length > 0);
        await modules?.answer();
        return {
          point: join(folder, 'mnt'),
          invalidate: async () => {},
          unmount: async () => end('unmounted'),
          ended,
          figures: () => ({ requests: 0, pending: 0, timeouts: 0, threads: 0 }),
        };
      },
    }),
  };
  const daemon = await startDaemon({
    settings: { ...settings, selection },
    mount,
    audit: false,
    session: undefined,
    openModules: (parts) => {
      modules = new LateModules({ ...parts, choices });
      return modules;
    },
    actor: 'ana',
    onProgress: () => {},
    onReady: () => {},
  });
  t.teardown(() => daemon.stop());
  const operation = '/modules/api/operations/v1/pets/POST.md';
  await until(() => documents().includes(operation));
  t.ok(documents().includes('a.md'));
});
