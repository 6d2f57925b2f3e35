import type { AdminChange, AuditedChange } from '../history/admin-history.ts';
import { isFinal } from './client.ts';

/** What the log needs of a response to a change. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type Change = AuditedChange & Pick<AdminChange, 'action'>;

/** Records changes that were requested. */
export interface AdminLog {
  readonly changes: readonly AdminChange[];
  /** Sends a request, which makes these changes. Rejects if it was rejected, or never got a response. */
  record<Sent extends Answer>(changes: readonly Change[], send: () => Promise<Sent>): Promise<Sent>;
}

/** Creates an empty log. */
export function createAdminLog(): AdminLog {
  const changes: AdminChange[] = [];
  return {
    changes,
    record: async (requested, send) => {
      const from = Date.now();
      const add = (outcome: Pick<AdminChange, 'to' | 'status' | 'message'>) =>
        changes.push(...requested.map((change) => ({ ...change, from, ...outcome })));
      let sent;
      try {
        sent = await send();
      } catch (error) {
        add({ to: null, status: isFinal(error) ? error.statusCode : null, message: String(error) });
        throw error;
      }
      const isRejected = sent.status >= 400;
      add({ to: Date.now(), status: sent.status, ...(isRejected && { message: JSON.stringify(sent.body) }) });
      if (isRejected) throw new Error(`The status is ${sent.status}.`);
      return sent;
    },
  };
}
