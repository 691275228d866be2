/**
 * For `node --import`: keeps the compiled code of the bundles that a program, or one of its threads, has loaded, with all that was compiled by its end. What
 * was kept before is included.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';
import { isMainThread, threadId } from 'node:worker_threads';
import { keptCodeFile } from '../../dist/core/bundle.js';

/** A thread also keeps its code from time to time, since it may be ended without notice. */
const THREAD_KEEPS_EVERY_MS = 300;

const scripts = new Map();
const { Script } = vm;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    if (options?.filename?.endsWith('.cjs') === true) scripts.set(options.filename, this);
  }
};
syncBuiltinESMExports();

function keep() {
  for (const [file, script] of scripts) {
    const kept = keptCodeFile(file);
    const written = `${kept}-${process.pid}-${threadId}`;
    writeFileSync(written, script.createCachedData());
    // Another process may be reading or writing it at this moment.
    renameSync(written, kept);
  }
}

process.on('exit', keep);
if (!isMainThread) setInterval(keep, THREAD_KEEPS_EVERY_MS).unref();
