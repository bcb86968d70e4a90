import type { Database } from '../../platform/database/database.ts';
import type { NodeDoor } from '../kdf/nodeDoor.ts';
import type { RpcProxyTables } from '../tables.ts';
import { secondsToWait } from './budget.ts';
import { createCaller, type ConsoleCaller, type ConsoleParts } from './call.ts';
import { createHistory, type ConsoleHistory } from './history.ts';
import { createNodeCaller, type NodeCaller } from './node/call.ts';

export interface Console extends ConsoleCaller, NodeCaller {
	history: ConsoleHistory;
}

/** The trading nodes. */
export interface ConsoleNodes {
	door: NodeDoor;
	/** Whether a text holds a password of a node. */
	isSecret: (text: string) => boolean;
}

/** Everything behind the console's pages. */
export function createConsole(
	parts: Omit<ConsoleParts, 'history'> & { db: Database<RpcProxyTables>; nodes: ConsoleNodes }
): Console {
	const history = createHistory(parts.db);
	const { door, isSecret } = parts.nodes;
	return {
		...createCaller({ ...parts, history }),
		...createNodeCaller({
			door,
			isSecret,
			history,
			onceCall: parts.onceCall,
			secondsToWait: (accountId) => secondsToWait(parts.budget, accountId)
		}),
		history
	};
}
