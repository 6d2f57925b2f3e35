import { isId } from '@runward/sdk/find';
import { usage } from '../errors.ts';

/**
 * The ID of a delivery from the command line.
 *
 * @throws CliError if the text is not an ID
 */
export function deliveryId(text: string): string {
  return idOf('delivery', text, 'runward webhooks deliveries');
}

/**
 * The ID of a task of a run from the command line.
 *
 * @throws CliError if the text is not an ID
 */
export function runTaskId(text: string): string {
  return idOf('task', text, 'runward tasks list --fields runTaskId,title,runTitle');
}

/**
 * The ID of a file from the command line.
 *
 * @throws CliError if the text is not an ID
 */
export function fileId(text: string): string {
  return idOf('file', text, 'runward files list RUN');
}

/**
 * The ID of a share from the command line.
 *
 * @throws CliError if the text is not an ID
 */
export function shareId(text: string): string {
  return idOf('share', text, 'runward templates shares TEMPLATE');
}

function idOf(kind: string, text: string, list: string): string {
  if (isId(text)) return text.toLowerCase();
  throw usage(`"${text}" is not a ${kind} ID (a UUID). Find it with: ${list}`);
}
