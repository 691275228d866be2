const MAX_LENGTH = 120;

/** The reply of a tool in one line: how many of what, or why nothing. */
export function summaryOf(reply: Readonly<Record<string, unknown>>): string {
  const { error } = reply;
  if (typeof error === 'object' && error !== null && 'message' in error)
    return cut(`refused: ${error.message}`);
  const parts = Object.entries(reply).flatMap(([name, value]) => {
    if (name === 'call' || name === 'duration_ms' || name === 'revision') return [];
    if (name === 'more') return ['more to come'];
    if (name === 'path' && Array.isArray(value)) return [wayOf(value)];
    if (Array.isArray(value))
      return value.length === 0 && name !== 'hits' ? [] : [counted(value.length, name)];
    if (name === 'text' || name === 'tree') return [counted(String(value).split('\n').length, 'lines')];
    return ['entity', 'node', 'path', 'entry', 'removed'].includes(name) ? [String(value)] : [];
  });
  return cut(parts.join(', ') || 'done');
}

/** @param name in the plural */
function counted(count: number, name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${count} ${count === 1 ? words.replace(/ies$/, 'y').replace(/s$/, '') : words}`;
}

/** `Subscription → Invoice ← Customer`: a step that is walked against its direction is written as `←`. */
function wayOf(steps: readonly unknown[]): string {
  return steps
    .map((step, index) => {
      if (typeof step !== 'object' || step === null || !('node' in step)) return '?';
      if (index === steps.length - 1) return String(step.node);
      return `${step.node} ${'direction' in step && step.direction === 'in' ? '←' : '→'}`;
    })
    .join(' ');
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : text;
}
