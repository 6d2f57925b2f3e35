/** The service itself as the actor of a line of the audit log (decision 0078). */
export const auditActorCompatible = `
  alter table audit_lines drop constraint audit_lines_actor_type_check;
  alter table audit_lines add constraint audit_lines_actor_type_check
    check (actor_type in ('USER', 'API_KEY', 'ADMINISTRATION', 'ANONYMOUS', 'SYSTEM'));
`;
