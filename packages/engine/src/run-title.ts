import type { VariableValue } from './process.ts';
import { cut } from './text.ts';
import type { LocalDate } from './time.ts';

const longestTitle = 255;

/**
 * The title of a new run: the template's pattern with `{{name}}`, `{{date}}` and `{{variables.KEY}}` filled in, else the
 * template's name. A placeholder that names nothing becomes empty.
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
  return cut(filled?.trim() || template.name, longestTitle);
}
