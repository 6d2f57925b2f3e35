import { groupNames } from './endpoint-tools/operations.ts';
import { ToolError } from './tool-error.ts';

/**
 * Parses a list of groups like `runs,templates`; `all` means every group.
 *
 * @throws ToolError naming a group that does not exist
 */
export function parseGroups(text: string): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.includes('all')) return groupNames;
  const unknown = names.find((name) => !groupNames.includes(name));
  if (unknown === undefined) return [...new Set(names)];
  throw new ToolError(`groups: "${unknown}" is not a group of tools. Use all, or some of ${groupNames.join(', ')}.`);
}
