/** Organizations that are being moved between cells (decision 0100). */
export const organizationMovesCompatible = `
  create table organization_moves (
    organization_id uuid primary key,
    other_schema text not null,
    step text not null check (step in ('COPYING', 'DRAINING', 'STOPPED', 'MOVED', 'ARRIVING')),
    step_at timestamptz not null,
    foreign key (organization_id) references organizations
  );
`;
