const MAX_LENGTH = 120;

/** What a tool answered, in a line: how many of what, or why nothing. */
export function summaryOf(reply: Readonly<Record<string, unknown>>): string {
  const { error } = reply;
  if (typeof error === 'object' && error !== null && 'message' in error)
    return cut(`refused: ${error.message}`);
  const parts = Object.entries(reply).flatMap(([name, value]) => {
    if (name === 'call' || name === 'duration_ms' || name === 'revision') return [];
    if (name === 'more') return ['more to come'];
    if (Array.isArray(value))
      return value.length === 0 && name !== 'hits' ? [] : [`${value.length} ${name.replaceAll('_', ' ')}`];
    if (name === 'text' || name === 'tree') return [`${String(value).split('\n').length} lines`];
    return ['entity', 'node', 'path', 'source', 'target', 'entry'].includes(name) ? [String(value)] : [];
  });
  return cut(parts.join(', ') || 'done');
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : text;
}
