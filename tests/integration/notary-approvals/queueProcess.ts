/**
 * A server in a process of its own that moves one approval queue and kills itself, as with kill -9, before or after
 * one of the calls that build and send.
 */
import { createGateway } from '#lib/server/chains/daemon/gateway.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { openDatabase } from '#lib/server/database.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import { neverSwitchedOff } from '../../support/permissive.ts';
import { roomOver } from './support.ts';

/** What the parent hands over. */
export interface Order {
	database: { url?: string; dataDir: string };
	daemons: readonly DaemonConfig[];
	id: string;
	/** The call at which the process dies, counted from 1. */
	dieAt: { method: string; call: number; when: 'before' | 'after' };
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const gateway = createGateway(
	{ daemons: [...order.daemons] },
	{ pollEvery: null, refusal: neverSwitchedOff }
);
let seen = 0;

/** The gateway with death at one of its calls. */
const deadly: Gateway = {
	...gateway,
	async call(daemon, method, params, options) {
		const { dieAt } = order;
		if (method === dieAt.method) seen += 1;
		const dies = method === dieAt.method && seen === dieAt.call;
		if (dies && dieAt.when === 'before') process.kill(process.pid, 'SIGKILL');
		const answer = await gateway.call(daemon, method, params, options);
		if (dies) process.kill(process.pid, 'SIGKILL');
		return answer;
	}
};

const db = await openDatabase(order.database);
await roomOver(db, deadly).queues.advance(order.id);
