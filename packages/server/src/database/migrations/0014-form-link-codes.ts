/** Codes by mail, without which a form link does not open (decision 0084). */
export const formLinkCodes = `
  alter table form_links
    add column require_code boolean not null default false,
    add column code_hash bytea,
    add column code_expires_at timestamptz,
    add column code_attempts integer not null default 0,
    add column codes_since timestamptz,
    add column codes_sent integer not null default 0;
`;
