/** The path of a value inside another as messages name it, like `tasks[0].title`; empty for the value itself. */
export function valuePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
