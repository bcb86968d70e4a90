/**
 * A server in a separate process that runs one batch transfer and kills itself, like kill -9, at a given point
 * of its build and send calls. After each round it notifies its parent, which mines.
 */
import { openDatabase } from '#lib/server/database.ts';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import { gatewayBefore } from '../../support/daemons.ts';
import { deadly, type DieAt } from '../../support/deadly.ts';
import { partsOver } from './support.ts';

/** The parent's order. */
export interface Order {
	database: { url?: string; dataDir: string };
	komodoHome: string;
	id: string;
	dieAt: DieAt | null;
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const { komodoHome, database, dieAt } = order;
const { daemons } = loadConfig({ KOMODO_HOME: komodoHome, KOMODECK_DATA: database.dataDir });
const db = await openDatabase(database);
const { batchTransfers } = partsOver(db, deadly(gatewayBefore(...daemons), dieAt));
process.on('message', () => void batchTransfers.round().then(() => process.send?.('round')));
process.on('disconnect', () => process.exit());
process.send?.('ready');
