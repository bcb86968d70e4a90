import { pastOutcomeWords } from '#lib/messages/consoleOutcomes.ts';
import { NODE_PREFIX, type PastCall } from '#lib/server/rpc-proxy/console/history.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import { methodPath, kdfMethodPath } from './paths.ts';

/** A past call as a row displays it. */
export interface PastRow {
	id: string;
	method: string;
	daemon: string;
	at: number;
	ms: number;
	outcome: string;
	good: boolean;
	/** Shortened; null when they were not stored. */
	params: string | null;
	/** URL of the method's form with the same parameters. */
	href: string;
}

const SHOWN = 120;

/** Returns the row of a past call. */
export function pastRow(call: PastCall): PastRow {
	const { id, method, daemon, at, ms, outcome, params } = call;
	const isOfKdf = method.startsWith(NODE_PREFIX);
	const name = isOfKdf ? method.slice(NODE_PREFIX.length) : method;
	const path = isOfKdf ? kdfMethodPath(name) : methodPath(name);
	const shown = params === null ? null : visibleText(params.slice(0, SHOWN));
	return {
		id,
		method: name,
		daemon,
		at,
		ms,
		outcome: pastOutcomeWords(outcome),
		good: outcome.code === 'answered',
		params: shown !== null && params !== null && params.length > SHOWN ? `${shown}…` : shown,
		href: `${path}?again=${encodeURIComponent(id)}`
	};
}
