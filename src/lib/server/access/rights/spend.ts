import type { Role } from '../identity/roles.ts';
import type { Movement, OwnDoubt } from '../policy/rules/facts.ts';
import type { Usage } from '../policy/measuring/kinds.ts';

/** What a transaction or call takes, and under which ref it is counted. */
export interface MeasuredSpend {
	/** Id of the account that it is counted for; null when no such account exists. */
	account: string | null;
	/** Name and role of that account. */
	person: string;
	role: Role;
	/** Id of the API token that the request came with; null for none. */
	token: string | null;
	/** Id of the daemon or trading node whose wallet it uses. */
	wallet: string;
	chain: string;
	ref: string;
	usages: readonly Usage[];
	/** Addresses that it pays, without the wallet's own; null where they cannot be determined. */
	recipients: readonly string[] | null;
	movements: readonly Movement[];
	/** Recipients of which it is not known now whether they are wallets of this installation; null for none. */
	doubt: OwnDoubt | null;
	/** The signed bytes, which others may approve; null where there are none. */
	bytes: { hex: string; payouts: string | null } | null;
}

/** What was counted of a send, so that it can be given back. */
export type Counted = MeasuredSpend & { account: string };
