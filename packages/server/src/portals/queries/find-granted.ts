import type { Actor } from '../../access/actor.ts';
import type { Em } from '../../database/database.ts';

/** The ids of the portals that access rules let a member read. */
export async function findGranted(em: Em, { organizationId, userId }: Actor): Promise<ReadonlySet<string>> {
  const rules = await em
    .getKysely()
    .selectFrom('portal_access_rules as rule')
    .where('rule.organization_id', '=', organizationId)
    .where((eb) =>
      eb.or([
        eb('rule.user_id', '=', userId),
        eb(
          'rule.group_id',
          'in',
          eb
            .selectFrom('group_members as member')
            .where('member.organization_id', '=', organizationId)
            .where('member.user_id', '=', userId)
            .select('member.group_id'),
        ),
      ]),
    )
    .select('rule.portal_id')
    .distinct()
    .execute();
  return new Set(rules.map((rule) => rule.portal_id));
}
