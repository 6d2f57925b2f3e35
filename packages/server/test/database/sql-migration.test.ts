import test from 'ava';
import { statementsOf } from '../../src/database/migrations/sql-migration.ts';

test('statements end with a semicolon at the end of a line, unless they are in a block', (t) => {
  const text = `
    -- Why; and so on
    create table a (
      b text default ';'
    );
    do $$ begin
      execute 'c';
    end $$;
    drop table d;
  `;
  t.deepEqual(
    statementsOf(text).map((statement) => statement.split(/\s+/).join(' ')),
    ["-- Why; and so on create table a ( b text default ';' );", "do $$ begin execute 'c'; end $$;", 'drop table d;'],
  );
});

test('a text whose last statement has no end is refused', (t) => {
  t.throws(() => statementsOf('drop table a;\ndrop table b'), {
    message: /does not end with a semicolon: drop table b/,
  });
});
