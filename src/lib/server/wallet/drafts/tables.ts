import type { Int64 } from '../../platform/database/columns.ts';

/** A draft of a token creation, with every field as it was typed. */
export interface TokenDraftsTable {
	id: string;
	chain: string;
	kind: string;
	name: string;
	supply: string;
	decimals: string;
	description: string;
	data: string;
	created_by: string;
	written_by: string;
	/** Unix milliseconds. */
	created_at: Int64;
	written_at: Int64;
}

export interface DraftTables {
	token_drafts: TokenDraftsTable;
}
