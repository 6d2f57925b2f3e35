/** The path of a nested value as messages show it, like `tasks[0].title`. The path of the whole value is empty. */
export function valuePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
