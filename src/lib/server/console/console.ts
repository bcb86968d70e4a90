import type { Db } from '../db/open.ts';
import { createCaller, type ConsoleCaller, type ConsoleParts } from './call.ts';
import { createHistory, type ConsoleHistory } from './history.ts';

export interface Console extends ConsoleCaller {
	history: ConsoleHistory;
}

/** Everything behind the console's pages. */
export function createConsole(parts: Omit<ConsoleParts, 'history'> & { db: Db }): Console {
	const history = createHistory(parts.db);
	return { ...createCaller({ ...parts, history }), history };
}
