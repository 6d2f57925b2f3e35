/** A change writes fewer index entries, and checks fewer references (decision 0089). */
export const narrowerWrites = `
  alter table activity add ends_change boolean not null default false;
  update activity set ends_change = true from runs run
    where run.organization_id = activity.organization_id and run.id = activity.run_id
      and run.activity_count = activity.sequence;
  alter table activity alter ends_change drop default;
  create index activity_changes_index on activity (organization_id, at, run_id) where ends_change;
  drop index activity_field_value_index;
  alter table activity drop constraint activity_organization_id_actor_user_id_fkey,
    drop constraint activity_organization_id_actor_api_key_id_fkey;

  drop index runs_updated_index;
  alter table runs set (fillfactor = 75);
  alter table entries drop constraint entries_organization_id_run_task_id_fkey;
  alter table field_values drop constraint field_values_organization_id_entry_id_fkey;
  alter table field_values drop constraint field_values_field_key;
  alter table field_values
    add constraint field_values_field_key unique (organization_id, run_id, entry_id, run_task_field_id);
  drop index field_values_run_index;

  -- The times of a run's events never go back from now on.
  update events set created_at = ordered.created_at from (
    select organization_id, id,
      max(created_at) over (partition by organization_id, run_id order by sequence) as created_at
    from events where position is null and not is_test) ordered
    where events.organization_id = ordered.organization_id and events.id = ordered.id
      and events.created_at <> ordered.created_at;
  drop index events_unplaced_run_index;
`;
