/** Values of fields and flow variables by which runs are found (decision 0086). */
export const searchableValues = `
  create table searchable_fields (
    organization_id uuid,
    template_id uuid,
    source text,
    type text not null,
    name text not null,
    status text not null check (status in ('INDEXING', 'READY', 'REMOVING')),
    due_at timestamptz,
    after_run_id uuid,
    changed_since timestamptz,
    primary key (organization_id, template_id, source),
    foreign key (organization_id, template_id) references templates on delete cascade
  );
  create index searchable_fields_source_index on searchable_fields (organization_id, source);
  create index searchable_fields_due_index on searchable_fields (due_at) where due_at is not null;

  create table searchable_values (
    organization_id uuid,
    run_id uuid,
    source text,
    position int,
    text text,
    number double precision,
    primary key (organization_id, run_id, source, position),
    foreign key (organization_id, run_id) references runs on delete cascade
  );
  create index searchable_values_text_index on searchable_values (organization_id, source, text, run_id)
    where text is not null;
  create index searchable_values_number_index on searchable_values (organization_id, source, number, run_id)
    where number is not null;
`;
