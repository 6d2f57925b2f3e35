import { setTimeout as pause } from 'node:timers/promises';
import type { CitusCell } from '../processes/citus-cell.ts';
import type { Postgres } from '../processes/postgres.ts';
import type { Fault } from './faults.ts';

const target = 'PostgreSQL';

/** The faults of one PostgreSQL. */
export function postgresFaults(postgres: Postgres): Fault[] {
  return [
    ...(['fast', 'immediate'] as const).map((mode): Fault => ({
      kind: 'restart',
      target,
      name: `restart PostgreSQL (${mode})`,
      inject: () => postgres.restart(mode),
    })),
    {
      kind: 'stall',
      target,
      name: 'stall PostgreSQL',
      inject: (random) => postgres.stall(random.between(3_000, 8_000)),
    },
  ];
}

/** The faults of a Citus cluster: its servers crash, and the cell moves, also while one of them crashes. */
export function citusFaults({ servers, move }: CitusCell): Fault[] {
  return [
    ...['there', 'and back'].map((way): Fault => ({
      kind: 'stall',
      target,
      name: `move the cell ${way}`,
      inject: move,
    })),
    ...Object.entries(servers).flatMap(([server, { crash }]): Fault[] => [
      { kind: 'restart', target, name: `restart the ${server} (immediate)`, inject: crash },
      {
        kind: 'restart',
        target,
        name: `restart the ${server} (immediate) while the cell moves`,
        inject: async (random) => {
          const moving = move();
          await pause(random.between(100, 3_000));
          await Promise.all([moving, crash()]);
        },
      },
    ]),
  ];
}
