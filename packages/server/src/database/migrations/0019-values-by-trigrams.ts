/**
 * Parts of searchable texts are found by an index of `pg_trgm` (decision 0086). Without the right to create the
 * extension, or without the extension, they are found by reading all values of their field.
 */
export const valuesByTrigrams = `
  do $$ begin
    create extension if not exists pg_trgm with schema public;
    execute format(
      'create index searchable_values_trigram_index on searchable_values using gin (text %s.gin_trgm_ops)
        where text is not null',
      (select extnamespace::regnamespace from pg_extension where extname = 'pg_trgm'));
  exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
    raise warning 'Without the extension pg_trgm, the filter CONTAINS reads all values of its field: %', sqlerrm;
  end $$;
`;
