import type { VariableValue } from './process.ts';
import { cut, maximumTitleLength } from './text.ts';
import type { LocalDate } from './time.ts';

/**
 * The title of a new run. Fills in `{{name}}`, `{{date}}` and `{{variables.KEY}}` in the template's pattern; an unknown
 * placeholder becomes empty. Without a pattern, or if the result is blank, returns the template's name.
 */
export function runTitle(
  template: { readonly name: string; readonly runTitlePattern: string | null },
  scheduledDate: LocalDate,
  variables: Readonly<Record<string, VariableValue>>,
): string {
  const filled = template.runTitlePattern?.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => {
    if (name === 'name') return template.name;
    if (name === 'date') return scheduledDate;
    const key = name.startsWith('variables.') ? name.slice('variables.'.length) : '';
    return Object.hasOwn(variables, key) ? String(variables[key] ?? '') : '';
  });
  // A value may have several lines, a title has one.
  const line = filled?.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return cut(line || template.name, maximumTitleLength);
}
