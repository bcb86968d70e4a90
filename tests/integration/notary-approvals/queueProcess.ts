/**
 * A server in a separate process that runs one approval queue and kills itself, like kill -9, before or after
 * one of its build and send calls.
 */
import { openDatabase } from '#lib/server/database.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import { gatewayBefore } from '../../support/daemons.ts';
import { deadly, type DieAt } from '../../support/deadly.ts';
import { roomOver } from './support.ts';

/** The parent's order. */
export interface Order {
	database: { url?: string; dataDir: string };
	daemons: readonly DaemonConfig[];
	id: string;
	dieAt: DieAt;
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const db = await openDatabase(order.database);
const gateway = deadly(gatewayBefore(...order.daemons), order.dieAt);
await roomOver(db, gateway).queues.advance(order.id);
