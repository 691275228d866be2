import { jsonrepair } from 'jsonrepair';

/** What a model wrote as arguments. */
export interface ToolArguments {
  /** Undefined where they are none, also after they were mended. */
  readonly args: object | undefined;
  /** JSON that an API takes back: as the model wrote it, where that is JSON. */
  readonly json: string;
}

/** Longer ones are no slip of the pen. */
const MAX_MENDED_LENGTH = 100_000;

/**
 * Reads arguments, mended once where they are nearly JSON. Those of a tool that changes something are not mended where their end is missing: half
 * of a text would be written.
 */
export function readArguments(text: string, { isChange }: { readonly isChange: boolean }): ToolArguments {
  // A tool without parameters is often called with no text at all.
  if (text.trim() === '') return { args: {}, json: '{}' };
  const args = objectIn(text);
  if (args !== undefined) return { args, json: text };
  const mended = text.length > MAX_MENDED_LENGTH || (isChange && !hasEnd(text)) ? undefined : repaired(text);
  const found = mended === undefined ? undefined : objectIn(mended);
  return { args: found, json: found === undefined ? '{}' : JSON.stringify(found) };
}

/** Models put JSON between fences, too. */
function hasEnd(text: string): boolean {
  return /\}\s*(?:`{3}\s*)?$/.test(text);
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function repaired(text: string): string | undefined {
  try {
    return jsonrepair(text);
  } catch {
    // It says what it cannot mend, and text that is nested too deep for it is not mended either.
    return undefined;
  }
}
