/** How a chain is on the overview: its state in a word, and all of it in one line where there are many chains. */
import { CHAIN_CARD, chainTroubleMessage } from '#lib/messages/overview.ts';
import type { DaemonState } from '../daemon/types.ts';
import type { ChainGlance } from './overview.ts';
import type { Piece } from './piece.ts';
import { stateWord, type StateWord } from './sidebar.ts';

/** Heights are block heights, times Unix milliseconds, amounts satoshi; null is what is not known. */
interface ChainLine {
	name: string;
	mark: StateWord;
	/** What is wrong, in sentences. */
	trouble: string;
	/** When its daemon last answered; null while there is nothing to say about it. */
	lastGoodAt: number | null;
	/** Null while nothing is known of the chain at all. */
	glance:
		| (Pick<ChainGlance, 'height' | 'tipAt' | 'mempool' | 'balance'> & {
				/** Blocks since the last notarized one; null when there is none yet. */
				behind: number | null;
		  })
		| null;
	/** The usual seconds between two blocks. */
	blockTime: number | null;
}

/** Whether something is wrong with a chain or with its daemon. */
export const isTroubled = ({ problem, data }: Piece<ChainGlance>): boolean =>
	problem !== null || data.wrong.length > 0;

/** The same word as in the sidebar, unless its glance tells of something that the daemon's health does not. */
export function chainMark(state: DaemonState, glance: Piece<ChainGlance>): StateWord {
	const mark = stateWord(state);
	if (mark.state !== 'good' || !isTroubled(glance)) return mark;
	return { state: 'wait', word: glance.problem ? CHAIN_CARD.degraded : CHAIN_CARD.attention };
}

/** The usual one of some intervals; null where there is none. */
export const usualOf = (intervals: readonly number[]): number | null =>
	intervals.toSorted((a, b) => a - b)[intervals.length >> 1] ?? null;

/** Shapes what a card would show of a chain, but for its picture. */
export function chainLine(chain: {
	name: string;
	glance: Piece<ChainGlance>;
	mark: StateWord;
	lastGoodAt: number | null;
	intervals: readonly number[];
}): ChainLine {
	const { data, problem } = chain.glance;
	return {
		name: chain.name,
		mark: chain.mark,
		trouble: problem ? '' : data.wrong.map(chainTroubleMessage).join(' '),
		lastGoodAt: problem ? chain.lastGoodAt : null,
		glance: data && {
			height: data.height,
			tipAt: data.tipAt,
			mempool: data.mempool,
			balance: data.balance,
			behind: data.notarized === null ? null : Math.max(0, data.height - data.notarized)
		},
		blockTime: usualOf(chain.intervals)
	};
}
