/** When a block counts as final, so that no reorganization of it is expected any more. */

/**
 * Required confirmations (the tip has one), and the role of a notarization: required as well (`and`),
 * sufficient by itself (`or`), or ignored (`none`).
 */
export interface FinalityRule {
	confirmations: number;
	notarization: 'and' | 'or' | 'none';
}

/** The rule for chains that the configuration does not name. */
export const USUAL_FINALITY: FinalityRule = { confirmations: 10, notarization: 'and' };

const RULE = /^([^\s=,]{1,64})=([1-9]\d{0,5})(?:([+/])notarized)?$/;

/** Parses `ALPHA=20`, `ALPHA=10+notarized` or `ALPHA=10/notarized`; null for anything else. */
export function readFinality(text: string): [chain: string, rule: FinalityRule] | null {
	const match = RULE.exec(text);
	if (!match) return null;
	const [, chain, confirmations, sign] = match;
	const notarization = sign === '+' ? 'and' : sign === '/' ? 'or' : 'none';
	return [chain!, { confirmations: Number(confirmations), notarization }];
}

/** Heights that decide whether a block is final. */
interface BlockStatus {
	height: number;
	tip: number;
	/** Height of the last notarized block; 0 when there is none. */
	notarized: number;
}

/** A day of blocks: a chain without a notarization for that long counts as no longer notarized. */
const NOTARIZED_WITHIN = 1440;

/** Returns the number of confirmations; the block itself is the first. */
export const confirmationsOf = ({ height, tip }: BlockStatus): number =>
	Math.max(0, tip - height + 1);

/** Whether the chain is being notarized, so that a notarization of the block can be expected. */
export const isNotarizedChain = ({ tip, notarized }: BlockStatus): boolean =>
	notarized > 0 && notarized > tip - NOTARIZED_WITHIN;

/** Whether a block is final under a rule. Komodo daemon 0.9.0 never disconnects a block below a notarized one. */
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
