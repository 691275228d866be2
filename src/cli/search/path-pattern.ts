import { createContext, Script } from 'node:vm';
import { EXIT, reasonOf, UserError } from '../../core/errors.ts';
import { usageError } from '../usage-error.ts';

const MAX_LENGTH = 1000;
/** How long all paths of one command may take together, not counting `FREE_MS` for each. */
const TIME_MS = 1000;
const FREE_MS = 5;
const MAX_REMEMBERED = 100_000;
const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * The regular expression of `--path-regex`. Some expressions take practically forever on a path that they do not match. Those that might are run where they
 * can be stopped.
 * @throws UserError if it is no regular expression
 */
export function pathPattern(source: string): RegExp {
  if (source.length > MAX_LENGTH) {
    throw usageError(`--path-regex is at most ${MAX_LENGTH} characters`, 'search');
  }
  try {
    return mayTakeLong(source) ? new StoppedPattern(source) : new RegExp(source, 'u');
  } catch (error) {
    throw usageError(`--path-regex: ${reasonOf(error)}`, 'search');
  }
}

/** Whether an expression may take long: it repeats a group, has back references, or has many repetitions. */
function mayTakeLong(source: string): boolean {
  const repetitions = source.match(/[*+{]/g)?.length ?? 0;
  return /\)[*+{]/.test(source) || /\\[1-9k]/.test(source) || repetitions > 3;
}

class StoppedPattern extends RegExp {
  readonly #script = new Script('pattern.exec(text)');
  readonly #context: { pattern: RegExp; text: string };
  /** A batch asks for the same paths again and again, and each match costs a tenth of a millisecond. */
  readonly #known = new Map<string, RegExpExecArray | null>();
  #leftMs = TIME_MS;

  constructor(source: string) {
    super(source, 'u');
    this.#context = { pattern: new RegExp(source, 'u'), text: '' };
    createContext(this.#context);
  }

  /** Matches a path. @throws UserError if that has taken too long */
  override exec(text: string): RegExpExecArray | null {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const found = this.#run(text);
    if (this.#known.size < MAX_REMEMBERED) this.#known.set(text, found);
    return found;
  }

  #run(text: string): RegExpExecArray | null {
    this.#context.text = text;
    const startedMs = performance.now();
    try {
      return this.#script.runInContext(this.#context, {
        timeout: Math.ceil(Math.max(0, this.#leftMs) + FREE_MS),
      });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      throw new UserError(
        `--path-regex takes too long (more than ${TIME_MS / 1000} s); repeat less within what is repeated`,
        EXIT.wrongUsage,
        { cause: error },
      );
    } finally {
      this.#leftMs -= Math.max(0, performance.now() - startedMs - FREE_MS);
    }
  }
}

/** Whether it is a timeout. `instanceof` does not work, since the error belongs to the context in which the script ran. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === TIMED_OUT;
}
