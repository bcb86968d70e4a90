import { bareText } from '#lib/chain/bareText.ts';
import { formFaults as faults } from '#lib/messages/activation/formFaults.ts';
import type { Plain } from '../client/plain.ts';
import type { ChoiceField, Field, FormErrors, Offer, Typed } from './fields.ts';

/** Reads single fields of a form and collects all errors, so that they are shown together. */
export class FieldReader {
	readonly typed: Typed;
	readonly offer: Offer;
	readonly errors: FormErrors = {};

	constructor(typed: Typed, offer: Offer) {
		this.typed = typed;
		this.offer = offer;
	}

	wrong(field: Field | ChoiceField, words: string): void {
		this.errors[field] ??= words;
	}

	/** Reads an integer from `least` to `most`; null when it is empty or wrong. */
	whole(
		field: Field,
		least: number,
		empty: 'may be empty' | 'needed',
		most = 1_000_000
	): number | null {
		const text = bareText(this.typed[field]);
		if (text === '') {
			if (empty === 'needed') this.wrong(field, faults.wholeFrom(least));
			return null;
		}
		const value = Number(text);
		if (!/^\d+$/.test(text) || value < least || value > most) {
			const isTooLarge = /^\d+$/.test(text) && value > most;
			this.wrong(field, isTooLarge ? faults.wholeBetween(least, most) : faults.wholeFrom(least));
			return null;
		}
		return value;
	}

	flags(...names: readonly ('tx_history' | 'check_utxo_maturity' | 'get_balances')[]): {
		[name: string]: Plain;
	} {
		return Object.fromEntries(names.map((name) => [name, this.typed[name] === 'yes']));
	}
}
