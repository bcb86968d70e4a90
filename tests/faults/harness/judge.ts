/** Compares the contents of the chains with the database. Pure. */
import {
	BEFORE_BURN,
	hasArrived,
	type MigrationState
} from '#lib/server/cross-chain/migration/states.ts';

/** A burn in a block of a source chain. */
export interface ChainBurn {
	txid: string;
	source: string;
	destination: string;
	/** Satoshi, the import's fee included. */
	value: bigint;
}

/** An import in a block of a destination. */
export interface ChainImport {
	txid: string;
	destination: string;
	burn: string;
}

/** The row of a migration. */
export interface Row {
	id: string;
	source: string;
	destination: string;
	/** Satoshi without the fee; no two migrations of a run have the same. */
	amount: bigint;
	burn: string | null;
	state: MigrationState;
	reason: string | null;
}

export interface Findings {
	/** Coins that left one chain and will not arrive on the other, according to the database. */
	lost: string[];
	doubled: string[];
	/** Migrations that a temporary fault has ended, or that make no progress. */
	stopped: string[];
}

const IMPORT_FEE = 10_000n;
/** Nothing was sent yet, or never will be: nothing can be lost. */
const NOTHING_SENT: readonly MigrationState[] = [...BEFORE_BURN, 'discarded'];

/** @param burns only those of this run */
export function judge(
	rows: readonly Row[],
	burns: readonly ChainBurn[],
	imports: readonly ChainImport[]
): Findings {
	const found: Findings = { lost: [], doubled: [], stopped: [] };
	const nameOf = ({ id, source, destination }: Row): string =>
		`${id} (${source} to ${destination})`;
	for (const row of rows) {
		const own = burns.filter(
			({ source, destination, value }) =>
				source === row.source &&
				destination === row.destination &&
				value === row.amount + IMPORT_FEE
		);
		if (own.length > 1) {
			found.doubled.push(
				`${nameOf(row)}: ${own.length} burns: ${own.map(({ txid }) => txid).join(', ')}`
			);
		}
		const arrived = imports.filter(({ burn }) => own.some(({ txid }) => txid === burn));
		if (arrived.length > 1) {
			found.doubled.push(`${nameOf(row)}: ${arrived.length} imports of its burn`);
		}
		if (hasArrived(row.state)) {
			if (arrived.length === 0)
				found.lost.push(`${nameOf(row)}: ${row.state}, and no block holds its import`);
			continue;
		}
		if (own.some(({ txid }) => txid !== row.burn)) {
			found.lost.push(
				`${nameOf(row)}: ${row.state}, and a burn is in a block that its row does not name`
			);
		}
		if (!NOTHING_SENT.includes(row.state) || own.length > 0) {
			found.stopped.push(`${nameOf(row)}: ${row.state}: ${row.reason ?? 'without a reason'}`);
		}
	}
	const known = new Set(rows.map(({ source, amount }) => `${source} ${amount + IMPORT_FEE}`));
	for (const { txid, source, value } of burns) {
		if (!known.has(`${source} ${value}`))
			found.lost.push(
				`burn ${txid} on ${source} of ${value} satoshi: no row has its amount; rows: ${rows.map(({ id, amount, state }) => `${id} ${amount} ${state}`).join(', ')}`
			);
	}
	return found;
}
