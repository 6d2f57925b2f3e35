import { isId } from '@runward/sdk/find';
import { usage } from '../errors.ts';

/**
 * The ID of a delivery from the command line. Like the other functions here, throws a CliError if the text is not an
 * ID.
 */
export const deliveryId = idOf('delivery', 'runward webhooks deliveries');

/** The ID of a task of a run. */
export const runTaskId = idOf('task', 'runward tasks list --fields runTaskId,title,runTitle');

/** The ID of a file. */
export const fileId = idOf('file', 'runward files list RUN');

/** The ID of a share. */
export const shareId = idOf('share', 'runward templates shares TEMPLATE');

function idOf(kind: string, list: string): (text: string) => string {
  return (text) => {
    if (isId(text)) return text.toLowerCase();
    throw usage(`"${text}" is not a ${kind} ID (a UUID). Find it with: ${list}`);
  };
}
