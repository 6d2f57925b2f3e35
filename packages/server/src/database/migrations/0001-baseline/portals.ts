/** Portals, their pages, who may read them, and reports for them. */
export const portalTables = `
create table portals (
  organization_id uuid,
  id uuid,
  name text not null,
  slug text not null constraint portals_slug_key unique,
  description text,
  audience text not null check (audience in ('PUBLIC', 'RESTRICTED')),
  revision int not null,
  created_by_user_id uuid not null,
  updated_by_user_id uuid not null,
  published_by_user_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  published_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, created_by_user_id) references users,
  foreign key (organization_id, updated_by_user_id) references users,
  foreign key (organization_id, published_by_user_id) references users
);

create table portal_pages (
  organization_id uuid,
  id uuid,
  portal_id uuid not null,
  slug text not null,
  position int not null,
  title text not null,
  blocks jsonb not null,
  named jsonb not null,
  published_title text,
  published_blocks jsonb,
  published_named jsonb,
  has_unpublished_changes boolean not null,
  revision int not null,
  created_by_user_id uuid not null,
  updated_by_user_id uuid not null,
  published_by_user_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  published_at timestamptz,
  primary key (organization_id, id),
  constraint portal_pages_slug_key unique (organization_id, portal_id, slug),
  foreign key (organization_id, portal_id) references portals on delete cascade,
  foreign key (organization_id, created_by_user_id) references users,
  foreign key (organization_id, updated_by_user_id) references users,
  foreign key (organization_id, published_by_user_id) references users
);

create table portal_access_rules (
  organization_id uuid,
  id uuid,
  portal_id uuid not null,
  user_id uuid,
  group_id uuid,
  created_by_user_id uuid not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint portal_access_rules_user_key unique (organization_id, portal_id, user_id),
  constraint portal_access_rules_group_key unique (organization_id, portal_id, group_id),
  foreign key (organization_id, portal_id) references portals on delete cascade,
  foreign key (organization_id, user_id) references users,
  foreign key (organization_id, group_id) references groups,
  foreign key (organization_id, created_by_user_id) references users
);

create table report_presets (
  organization_id uuid,
  id uuid,
  name text not null,
  report jsonb not null,
  created_by_user_id uuid not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, created_by_user_id) references users
);
`;
