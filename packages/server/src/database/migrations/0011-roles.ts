/** The roles VIEWER and GUEST, and what members have access to (decision 0082). */
export const roles = `
  alter table users drop constraint users_role_check;
  alter table users add constraint users_role_check
    check (role in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER', 'GUEST'));
  alter table users add column resource_mode text not null default 'ALL';
  alter table users add constraint users_resource_mode_check check (resource_mode in ('ALL', 'GRANTED', 'ASSIGNED'));

  create table grants (
    organization_id uuid references organizations,
    id uuid,
    user_id uuid,
    group_id uuid,
    template_id uuid,
    folder_id uuid,
    created_at timestamptz not null,
    primary key (organization_id, id),
    foreign key (organization_id, user_id) references users,
    foreign key (organization_id, group_id) references groups,
    foreign key (organization_id, template_id) references templates,
    foreign key (organization_id, folder_id) references folders on delete cascade
  );
  create index grants_user_index on grants (organization_id, user_id);
  create index grants_group_index on grants (organization_id, group_id);
`;
