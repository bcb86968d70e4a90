import type { KdfGateway } from '../../kdf/client/kdfTypes.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RpcProxyTables } from '../tables.ts';
import { createCaller, type ConsoleCaller, type ConsoleParts } from './call.ts';
import { createFurtherCaller, type FurtherCaller } from './further.ts';
import { createHistory, type ConsoleHistory } from './history.ts';
import { createKdfCaller, type KdfCaller } from './kdf/call.ts';

export interface Console extends ConsoleCaller, KdfCaller, FurtherCaller {
	history: ConsoleHistory;
}

type Parts = Omit<ConsoleParts, 'history'> & {
	db: Database<RpcProxyTables>;
	nodes: Pick<KdfGateway, 'has' | 'proxy' | 'holdsPassword'>;
};

/** Creates everything behind the pages of the console. */
export function createConsole(parts: Parts): Console {
	const history = createHistory(parts.db);
	const own = { ...parts, history };
	return {
		...createCaller(own),
		...createKdfCaller(own),
		...createFurtherCaller(own),
		history
	};
}
