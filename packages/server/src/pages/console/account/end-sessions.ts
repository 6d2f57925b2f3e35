import { contract } from '@runward/contract';
import pLimit from 'p-limit';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { callsAtOnce, type ConsoleRequest } from '../console-page.ts';
import { ifExists } from '../if-exists.ts';

/** Ends one session of the signed-in member. */
export async function endSession({ api, params }: ConsoleRequest): Promise<Redirect> {
  await call(api, contract.auth.endSession, { params });
  return { redirectTo: `${consolePaths.account}?notice=sessionEnded` };
}

/** Ends all sessions of the signed-in member but this one. */
export async function endOtherSessions({ api }: ConsoleRequest): Promise<Redirect> {
  for (;;) {
    const { data, hasMore } = await call(api, contract.auth.sessions);
    const others = data.filter(({ isCurrent }) => !isCurrent);
    // One that has ended meanwhile is what is wanted.
    await pLimit(callsAtOnce).map(others, ({ id }) =>
      ifExists(call(api, contract.auth.endSession, { params: { id } })),
    );
    if (!hasMore) return { redirectTo: `${consolePaths.account}?notice=sessionsEnded` };
  }
}
