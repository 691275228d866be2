import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const BEGUN_AT = 0;
const DONE_AT = 8;
const TIMES_AT = 16;

/** What a writer publishes of its work, in a plain file that processes share: versions are counted from 1. */
export class Scoreboard {
  readonly #descriptor: number;
  readonly #number = Buffer.alloc(8);

  constructor(file: string) {
    this.#descriptor = openSync(file, 'a+');
    closeSync(this.#descriptor);
    this.#descriptor = openSync(file, 'r+');
  }

  /** To be called before anything of a version is written. */
  begin(version: number): void {
    this.#write(BEGUN_AT, version);
  }

  /** To be called when all of it is written: whoever opens it from now on is to see it. */
  finish(version: number): void {
    this.#write(TIMES_AT + 8 * version, Date.now());
    this.#write(DONE_AT, version);
  }

  begun(): number {
    return this.#read(BEGUN_AT);
  }

  done(): number {
    return this.#read(DONE_AT);
  }

  /** When a version was finished, by `Date.now`. */
  doneAtMs(version: number): number {
    return this.#read(TIMES_AT + 8 * version);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #write(at: number, value: number): void {
    this.#number.writeDoubleLE(value);
    writeSync(this.#descriptor, this.#number, 0, 8, at);
  }

  #read(at: number): number {
    return readSync(this.#descriptor, this.#number, 0, 8, at) === 8 ? this.#number.readDoubleLE() : 0;
  }
}
