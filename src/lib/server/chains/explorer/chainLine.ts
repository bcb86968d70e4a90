/** A chain on the overview: its state as one word, and a one-line summary for installations with many chains. */
import { CHAIN_CARD, chainWarningMessage } from '#lib/messages/overview.ts';
import type { DaemonState } from '../daemon/types.ts';
import type { ChainGlance } from './overview.ts';
import type { Piece } from './piece.ts';
import { stateWord } from './sidebar.ts';
import type { Badge } from '#lib/text/badge.ts';

/** Summary of a chain. Times are Unix milliseconds, amounts satoshi; null means unknown. */
interface ChainLine {
	name: string;
	mark: Badge;
	/** What is wrong, in sentences. */
	warnings: string;
	/** When its daemon last answered; null unless there is a problem to report. */
	lastGoodAt: number | null;
	/** Null while nothing is known of the chain. */
	glance: Pick<ChainGlance, 'height' | 'tipAt' | 'mempool' | 'balance' | 'notarized'> | null;
	/** Median seconds between two blocks. */
	blockTime: number | null;
}

/** Returns whether something is wrong with a chain or with its daemon. */
export const needsAttention = ({ problem, data }: Piece<ChainGlance>): boolean =>
	problem !== null || data.wrong.length > 0;

/** Returns the state word of the sidebar, or a warning when only the glance shows a problem. */
export function chainMark(state: DaemonState, glance: Piece<ChainGlance>): Badge {
	const mark = stateWord(state);
	if (mark.state !== 'good' || !needsAttention(glance)) return mark;
	return { state: 'wait', word: glance.problem ? CHAIN_CARD.degraded : CHAIN_CARD.attention };
}

/** Returns the median of some intervals; null for none. */
export const usualOf = (intervals: readonly number[]): number | null =>
	intervals.toSorted((a, b) => a - b)[intervals.length >> 1] ?? null;

/** Summarizes what the card of a chain shows, without its chart. */
export function chainLine(chain: {
	name: string;
	glance: Piece<ChainGlance>;
	mark: Badge;
	lastGoodAt: number | null;
	intervals: readonly number[];
}): ChainLine {
	const { data, problem } = chain.glance;
	return {
		name: chain.name,
		mark: chain.mark,
		warnings: problem ? '' : data.wrong.map(chainWarningMessage).join(' '),
		lastGoodAt: problem ? chain.lastGoodAt : null,
		glance: data && {
			height: data.height,
			tipAt: data.tipAt,
			mempool: data.mempool,
			balance: data.balance,
			notarized: data.notarized
		},
		blockTime: usualOf(chain.intervals)
	};
}
