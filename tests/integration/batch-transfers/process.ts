/**
 * A server in a process of its own that moves one series and kills itself, as with kill -9, at a given
 * moment: around the calls that build and send. After each round it tells its parent, which mines.
 */
import { createGateway } from '#lib/server/chains/daemon/gateway.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { openDatabase } from '#lib/server/database.ts';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import { neverSwitchedOff } from '../../support/permissive.ts';
import { partsOver } from './support.ts';

/** What the parent hands over. */
export interface Order {
	database: { url?: string; dataDir: string };
	komodoHome: string;
	id: string;
	/** Calls of these methods, before or after which the process dies, counted from 1. */
	dieAt: { method: string; call: number; when: 'before' | 'after' } | null;
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const config = loadConfig({ KOMODO_HOME: order.komodoHome, KOMODECK_DATA: order.database.dataDir });
const gateway = createGateway(config, { pollEvery: null, refusal: neverSwitchedOff });
const seen = new Map<string, number>();

/** The gateway with death at one of its calls. */
const deadly: Gateway = {
	...gateway,
	async call(daemon, method, params, options) {
		const count = (seen.get(method) ?? 0) + 1;
		seen.set(method, count);
		const dies = order.dieAt?.method === method && order.dieAt.call === count;
		if (dies && order.dieAt?.when === 'before') process.kill(process.pid, 'SIGKILL');
		const answer = await gateway.call(daemon, method, params, options);
		if (dies) process.kill(process.pid, 'SIGKILL');
		return answer;
	}
};

const db = await openDatabase(order.database);
const { batchTransfers } = partsOver(db, deadly);
process.on('message', () => void batchTransfers.round().then(() => process.send?.('round')));
process.on('disconnect', () => process.exit());
process.send?.('ready');
