import { resourceModesOf, type MemberResourceMode, type UserRole } from '@runward/contract';
import { badRequest } from '../../api-error.ts';

/**
 * The resource mode of a member with a role. A `wanted` one must be one of the role (400). By default it stays as it
 * is, or becomes the default of the role.
 */
export function resourceModeFor(
  role: UserRole,
  { wanted, current }: { readonly wanted?: MemberResourceMode | undefined; readonly current?: MemberResourceMode },
): MemberResourceMode {
  const modes = resourceModesOf[role];
  const [first] = modes;
  if (!first) throw new Error(`The role ${role} has no resource mode.`);
  if (wanted === undefined) return current !== undefined && modes.includes(current) ? current : first;
  if (modes.includes(wanted)) return wanted;
  throw badRequest([
    `resourceMode: members with the role ${role} have ${modes.join(' or ')}; omit it or change the role`,
  ]);
}
