import { jsonrepair } from 'jsonrepair';

/** The arguments that a model has written for a tool. */
export interface ToolArguments {
  /** Undefined if they cannot be read, even after an attempt to mend them. */
  readonly args: object | undefined;
  /** JSON that an API accepts: as the model wrote it, if that is JSON. */
  readonly json: string;
}

/** Longer text is not a slip of the pen. */
const MAX_MENDED_LENGTH = 100_000;

/**
 * Reads arguments, and mends them if they are almost JSON. For a tool that changes something they are not mended if their end is missing: half of a
 * text would be written.
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

/** Models also put JSON between fences. */
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
    // The mending fails with an error for what it cannot mend, and for text that is nested too deeply.
    return undefined;
  }
}
