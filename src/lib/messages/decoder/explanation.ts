/** Decoded bytes for display: every part with its text. */
import type { ExplainNode } from '#lib/chain/explain/node.ts';
import type { Meaning, MeaningParams } from '#lib/chain/explain/meaning.ts';
import { amountProse } from '#lib/text/amounts.ts';
import { explainFaultMessage } from './faults.ts';
import { labelMessage } from './labels.ts';
import { PAYLOAD_WORDS } from './payloads.ts';
import { SCRIPT_WORDS } from './scripts.ts';
import { TRANSACTION_WORDS } from './transactions.ts';
import { valueMessage } from './values.ts';
import type { CoinsText, Words } from './words.ts';

/** One part of decoded bytes, as text. */
export interface ShownPart {
	label: string;
	value?: string;
	/** Offsets of the first byte, and of the byte after the last. */
	start: number;
	end: number;
	/** Meaning, or why the part cannot be decoded. */
	meaning?: string;
	children?: ShownPart[];
}

const WORDS: Words<MeaningParams> = {
	...SCRIPT_WORDS,
	...PAYLOAD_WORDS,
	...TRANSACTION_WORDS
};

const meaningMessage = <Code extends keyof MeaningParams>(
	meaning: { code: Code } & MeaningParams[Code],
	coins: CoinsText
): string => WORDS[meaning.code](meaning, coins);

/**
 * @param node result of `explainHex`
 * @param ticker ticker of the chain; null when only the bytes are known
 */
export function explanationShown(node: ExplainNode, ticker: string | null = null): ShownPart {
	const coins: CoinsText = (amount) => `${amountProse(amount)} ${ticker ?? 'coins'}`;
	const sentence = (meaning: Meaning): string => meaningMessage(meaning, coins);
	const shown = ({
		label,
		value,
		start,
		end,
		meaning,
		fault,
		children
	}: ExplainNode): ShownPart => ({
		label: labelMessage(label),
		...(value === undefined ? {} : { value: valueMessage(value, ticker) }),
		start,
		end,
		...(fault
			? { meaning: explainFaultMessage(fault) }
			: meaning
				? { meaning: sentence(meaning) }
				: {}),
		...(children ? { children: children.map(shown) } : {})
	});
	return shown(node);
}
