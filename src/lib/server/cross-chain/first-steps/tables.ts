import type { Int64 } from '../../platform/database/columns.ts';

/** A card that a member has dismissed. */
export interface DismissedCardsTable {
	account_id: string;
	card: 'first-steps';
	/** Unix milliseconds. */
	at: Int64;
}

export interface FirstStepsTables {
	dismissed_cards: DismissedCardsTable;
}
