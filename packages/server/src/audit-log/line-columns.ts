import { canonicalJson } from '@runward/engine';
import type { Column } from '../csv.ts';
import type { PresentedLine } from './present-line.ts';

/** The columns of the export. `line` is the text that was hashed, so that a program can verify it as it is. */
export const lineColumns: readonly Column<PresentedLine>[] = [
  { header: 'sequence', value: ({ sequence }) => sequence },
  { header: 'at', value: ({ at }) => at },
  { header: 'action', value: ({ action }) => action },
  { header: 'actorType', value: ({ actor }) => actor.type },
  { header: 'actorUserId', value: ({ actor }) => actor.userId },
  { header: 'actorApiKeyId', value: ({ actor }) => actor.apiKeyId },
  { header: 'address', value: ({ address }) => address },
  { header: 'targetType', value: ({ target }) => target.type },
  { header: 'targetId', value: ({ target }) => target.id },
  { header: 'targetLabel', value: ({ target }) => target.label },
  { header: 'before', value: ({ before }) => before && canonicalJson(before) },
  { header: 'after', value: ({ after }) => after && canonicalJson(after) },
  { header: 'previousHash', value: ({ previousHash }) => previousHash },
  { header: 'hash', value: ({ hash }) => hash },
  { header: 'line', value: hashedText },
];

/** The text of a line that its hash is computed from, after the previous hash and a line feed. */
function hashedText({ previousHash: _, hash: __, ...line }: PresentedLine): string {
  return canonicalJson(line);
}
