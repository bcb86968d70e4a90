/** When a block is taken for final: no reorganization is waited for any more. */

/**
 * How deep a block has to lie (a block at the tip has one confirmation), and what its notarization counts:
 * asked for as well (`and`), enough by itself (`or`), or nothing (`none`).
 */
export interface FinalityRule {
	confirmations: number;
	notarization: 'and' | 'or' | 'none';
}

/** For chains that the configuration does not name. */
export const USUAL_FINALITY: FinalityRule = { confirmations: 10, notarization: 'and' };

const RULE = /^([^\s=,]{1,64})=([1-9]\d{0,5})(?:([+/])notarized)?$/;

/** Reads `ALPHA=20`, `ALPHA=10+notarized` or `ALPHA=10/notarized`; null for anything else. */
export function readFinality(text: string): [chain: string, rule: FinalityRule] | null {
	const match = RULE.exec(text);
	if (!match) return null;
	const [, chain, confirmations, sign] = match;
	const notarization = sign === '+' ? 'and' : sign === '/' ? 'or' : 'none';
	return [chain!, { confirmations: Number(confirmations), notarization }];
}

/** Where a block stands on its chain. Heights. */
interface BlockStatus {
	height: number;
	tip: number;
	/** The highest block of the chain that is notarized; 0 when none is. */
	notarized: number;
}

/** A day of blocks: a chain without a notarization for so long is not notarized any more. */
const NOTARIZED_WITHIN = 1440;

/** How many blocks hold the block's chain up, the block itself included. */
export const confirmationsOf = ({ height, tip }: BlockStatus): number =>
	Math.max(0, tip - height + 1);

/** True when a notarization of the block can be expected. */
export const isNotarizedChain = ({ tip, notarized }: BlockStatus): boolean =>
	notarized > 0 && notarized > tip - NOTARIZED_WITHIN;

/** Whether a block is final by a rule. Komodo daemon 0.9.0 takes back no block below a notarized one. */
export function isFinal(rule: FinalityRule, block: BlockStatus): boolean {
	const deep = confirmationsOf(block) >= rule.confirmations;
	const notarized = block.notarized >= block.height;
	switch (rule.notarization) {
		case 'none':
			return deep;
		case 'or':
			return deep || notarized;
		case 'and':
			return deep && (notarized || !isNotarizedChain(block));
	}
}
