import type { AdminHistory, AdminMember, AuditedChange, StoredLink } from './admin-history.ts';
import { query } from './collect.ts';
import { runCheck } from './run-check.ts';

/**
 * Reads members whose addresses are in a domain, with their grants, form links and audit log, which is also verified.
 */
export async function collectAdmin(
  databaseUrl: string,
  dataDir: string,
  domain: string,
): Promise<Pick<AdminHistory, 'members' | 'links' | 'lines' | 'brokenLog'>> {
  const own = [`%@${domain}`];
  const [organization] = await query<{ id: string }>(databaseUrl, 'select id from organizations');
  const { problem } = await runCheck<{ problem: { message: string } | null }>(
    databaseUrl,
    dataDir,
    'audit',
    organization?.id ?? '',
    '--verify',
  );
  return {
    members: await query<AdminMember>(
      databaseUrl,
      `select email, role,
        (select coalesce(json_agg(template_id), '[]') from grants where user_id = users.id) as "templateIds"
      from users where email like $1`,
      own,
    ),
    links: await query<StoredLink>(
      databaseUrl,
      `select email, revoked_at is not null as "isRevoked"
      from form_links join users on users.id = form_links.user_id where email like $1`,
      own,
    ),
    lines: await query<AuditedChange>(
      databaseUrl,
      `select action, target_label as email,
        coalesce(after ->> 'role', after ->> 'templateId', before ->> 'templateId') as value
      from audit_lines where target_label like $1 and action not like 'session.%' order by sequence`,
      own,
    ),
    brokenLog: problem?.message ?? null,
  };
}
