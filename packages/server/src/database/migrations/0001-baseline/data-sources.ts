const slots = Array.from({ length: 50 }, (_, index) => index + 1);

/** Data sources, and the indexes that rows are found with (decision 0031). */
export const dataSourceTables = `
create table data_sources (
  organization_id uuid references organizations,
  id uuid,
  name text not null,
  description text,
  row_count int not null,
  active_row_count int not null,
  revision int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);

create table data_source_columns (
  organization_id uuid,
  id uuid,
  data_source_id uuid not null,
  slot smallint not null,
  name text not null,
  type text not null check (type in ('TEXT', 'DATE', 'DATETIME', 'NUMBER', 'BOOLEAN', 'STATUS', 'RELATION')),
  position int not null,
  settings jsonb not null,
  target_data_source_id uuid,
  primary key (organization_id, id),
  constraint data_source_columns_slot_key unique (organization_id, data_source_id, slot),
  foreign key (organization_id, data_source_id) references data_sources on delete cascade,
  foreign key (organization_id, target_data_source_id) references data_sources
);
create index data_source_columns_target_index on data_source_columns (organization_id, target_data_source_id)
  where target_data_source_id is not null;

create table data_source_rows (
  organization_id uuid,
  id uuid,
  data_source_id uuid not null,
  active boolean not null,
  cells jsonb not null,
  search_text text not null,
  grams int[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ${slots.map((slot) => `key${slot} text collate "C"`).join(',\n  ')},
  primary key (organization_id, id),
  foreign key (organization_id, data_source_id) references data_sources on delete cascade
);
create index data_source_rows_source_index on data_source_rows (organization_id, data_source_id, id) include (active);
create index data_source_rows_grams_index on data_source_rows using gin (grams);
${slots
  .map(
    (
      slot,
    ) => `create index data_source_rows_key${slot}_index on data_source_rows (organization_id, data_source_id, key${slot}, id)
  include (active) where key${slot} is not null;`,
  )
  .join('\n')}

create table data_source_row_changes (
  organization_id uuid,
  row_id uuid,
  id uuid,
  type text not null check (type in ('CREATED', 'UPDATED', 'LINKED', 'UNLINKED')),
  at timestamptz not null,
  actor_type text not null check (actor_type in ('API_KEY', 'USER')),
  actor_user_id uuid not null,
  actor_api_key_id uuid,
  active boolean,
  changes jsonb not null,
  primary key (organization_id, row_id, id),
  foreign key (organization_id, row_id) references data_source_rows on delete cascade,
  foreign key (organization_id, actor_user_id) references users,
  foreign key (organization_id, actor_api_key_id) references api_keys
);

create table data_source_links (
  organization_id uuid,
  from_row_id uuid,
  column_id uuid,
  to_row_id uuid,
  primary key (organization_id, from_row_id, column_id, to_row_id),
  foreign key (organization_id, column_id) references data_source_columns on delete cascade,
  foreign key (organization_id, from_row_id) references data_source_rows on delete cascade,
  foreign key (organization_id, to_row_id) references data_source_rows on delete cascade
);
create index data_source_links_to_index on data_source_links (organization_id, to_row_id, column_id);
create index data_source_links_column_index on data_source_links (organization_id, column_id);
`;
