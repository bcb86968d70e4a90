import type { Db } from '../db/open.ts';
import type { NodeDoor } from '../gateway/nodeDoor.ts';
import { secondsToWait } from './budget.ts';
import { createCaller, type ConsoleCaller, type ConsoleParts } from './call.ts';
import { createHistory, type ConsoleHistory } from './history.ts';
import { createNodeCaller, type NodeCaller } from './node/call.ts';

export interface Console extends ConsoleCaller, NodeCaller {
	history: ConsoleHistory;
}

/** The trading nodes, where there are some. */
export interface ConsoleNodes {
	door: NodeDoor;
	/** Whether a text holds a password of a node. */
	isSecret: (text: string) => boolean;
}

const NO_NODES: ConsoleNodes = {
	door: { has: () => false, answer: () => Promise.resolve(null) },
	isSecret: () => false
};

/** Everything behind the console's pages. */
export function createConsole(
	parts: Omit<ConsoleParts, 'history'> & { db: Db; nodes?: ConsoleNodes }
): Console {
	const history = createHistory(parts.db);
	const { door, isSecret } = parts.nodes ?? NO_NODES;
	return {
		...createCaller({ ...parts, history }),
		...createNodeCaller({
			door,
			isSecret,
			history,
			secondsToWait: (accountId) => secondsToWait(parts.budget, accountId)
		}),
		history
	};
}
